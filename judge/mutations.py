"""How people get attention wrong: operators that change one place of a reference.

    code       Code: the source with its tree, its parents, and the text of each node
    operators  functions `(node, code) -> changes`, found by their decorator; a new operator is one function
    changes    lists of Edit; an edit replaces a stretch of characters, so that all other text stays as it was

Left alone: docstrings, type hints, imports, asserts, checks that only raise, `device=`, and `super().__init__()`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Edit:
    """The characters from `start` to `end` of the source become `text`."""

    start: int
    end: int
    text: str


Change = list[Edit]
Operator = Callable[[ast.AST, "Code"], Iterator[Change]]
OPERATORS: list[Operator] = []


def operator(function: Operator) -> Operator:
    """Registers an operator."""
    OPERATORS.append(function)
    return function


class Code:
    """A source, and what operators ask about its tree."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.tree = ast.parse(source)
        self.parents = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}
        self._lines = source.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def place(self, line: int, column: int) -> int:
        """A position of the parser (columns in bytes) as a number of characters."""
        return self._starts[line - 1] + len(self._lines[line - 1].encode()[:column].decode())

    def span(self, node: ast.AST) -> tuple[int, int]:
        assert isinstance(node, (ast.expr, ast.stmt, ast.keyword, ast.arg))
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self.place(node.lineno, node.col_offset), self.place(node.end_lineno, node.end_col_offset)

    def text(self, node: ast.AST) -> str:
        start, end = self.span(node)
        return self.source[start:end]

    def atom(self, node: ast.AST) -> str:
        """The text of an expression, in brackets unless it binds tightly by itself."""
        tight = (ast.Name, ast.Call, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.List)
        return self.text(node) if isinstance(node, tight) else f"({self.text(node)})"

    def replace(self, node: ast.AST, text: str) -> Change:
        return [Edit(*self.span(node), text)]

    def swap(self, first: ast.AST, second: ast.AST) -> Change:
        return [Edit(*self.span(first), self.text(second)), Edit(*self.span(second), self.text(first))]

    def between(self, left: ast.AST, right: ast.AST, old: str, new: str) -> Iterator[Change]:
        """The operator sign between two operands."""
        start, end = self.span(left)[1], self.span(right)[0]
        found = self.source.find(old, start, end)
        if found >= 0:
            yield [Edit(found, found + len(old), new)]

    def parent(self, node: ast.AST) -> ast.AST | None:
        return self.parents.get(node)

    def function(self, node: ast.AST) -> ast.FunctionDef | None:
        """The function that a node is in."""
        found = self.parent(node)
        while found is not None and not isinstance(found, ast.FunctionDef):
            found = self.parent(found)
        return found

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes that may be changed, in the order of the source."""
        return [node for node in self._walk(self.tree) if hasattr(node, "lineno")]

    def _walk(self, node: ast.AST) -> Iterator[ast.AST]:
        yield node
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "bases", "type_params"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not _left_alone(child):
                    yield from self._walk(child)


def _left_alone(node: ast.AST) -> bool:
    if isinstance(node, (ast.Import, ast.ImportFrom, ast.Assert, ast.Raise)):
        return True
    if isinstance(node, ast.If) and all(isinstance(child, ast.Raise) for child in node.body) and not node.orelse:
        return True
    if isinstance(node, ast.keyword):
        return node.arg == "device"
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) or ast.unparse(node).startswith("super().__init__")
    return False


def is_method(node: ast.AST, *names: str) -> bool:
    """A call `something.name(...)`, methods and functions of modules alike."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in names


def is_number(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def whole(node: ast.AST | None) -> int | None:
    """The value of a whole-number literal, with its sign."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = whole(node.operand)
        return None if inner is None else -inner
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


COMPARISONS = {ast.Lt: ("<", ("<=", ">")), ast.LtE: ("<=", ("<", ">=")), ast.Gt: (">", (">=", "<")),
               ast.GtE: (">=", (">", "<=")), ast.Eq: ("==", ("!=",)), ast.NotEq: ("!=", ("==",))}  # fmt: skip
SIGNS = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"), ast.BitAnd: ("&", "|"),
         ast.BitOr: ("|", "&"), ast.Mod: ("%", "//"), ast.FloorDiv: ("//", "%"), ast.BitXor: ("^", "|")}  # fmt: skip
NAMES = {
    "triu": ("tril",), "tril": ("triu",), "min": ("max",), "max": ("min",), "amax": ("amin",), "amin": ("amax",),
    "minimum": ("maximum",), "maximum": ("minimum",), "any": ("all",), "all": ("any",), "sum": ("mean",),
    "mean": ("sum",), "argmax": ("argmin",), "zeros": ("ones",), "ones": ("zeros",), "zeros_like": ("ones_like",),
    "ones_like": ("zeros_like",), "new_zeros": ("new_ones",), "new_ones": ("new_zeros",), "sin": ("cos",),
    "cos": ("sin",), "exp": ("exp2",), "exp2": ("exp",), "log": ("log2",), "log2": ("log",), "float32": ("float64",),
    "float64": ("float32",), "softmax": ("log_softmax",), "floor": ("ceil",), "ceil": ("floor",),
    "logical_and": ("logical_or",), "logical_or": ("logical_and",), "rsqrt": ("sqrt",),
    "masked_fill_": ("masked_fill",), "add_": ("add",), "mul_": ("mul",), "int64": ("float32",), "bool": ("uint8",),
}  # fmt: skip
CASTS = ("float", "double", "half", "to", "type_as", "bool", "long", "int", "type")
SHAPERS = ("view", "reshape", "expand", "unflatten", "permute", "transpose", "repeat", "split", "chunk", "size")
ORDERED = ("view", "reshape", "expand", "permute", "repeat")
COUNTED = ("arange", "range", "triu", "tril", "triu_", "tril_", "roll")


@operator
def comparisons(node: ast.AST, code: Code) -> Iterator[Change]:
    """`<` for `<=`, the other way round"""
    if isinstance(node, ast.Compare):
        operands = [node.left, *node.comparators]
        for left, sign, right in zip(operands, node.ops, operands[1:], strict=False):
            old, others = COMPARISONS.get(type(sign), ("", ()))
            for new in others:
                yield from code.between(left, right, old, new)


@operator
def signs(node: ast.AST, code: Code) -> Iterator[Change]:
    """`+` for `-`, `*` for `/`, `&` for `|`"""
    if isinstance(node, ast.BinOp) and type(node.op) in SIGNS:
        yield from code.between(node.left, node.right, *SIGNS[type(node.op)])
    if isinstance(node, ast.AugAssign) and type(node.op) in SIGNS:
        old, new = SIGNS[type(node.op)]
        yield from code.between(node.target, node.value, f"{old}=", f"{new}=")


@operator
def dropped_operands(node: ast.AST, code: Code) -> Iterator[Change]:
    """No scale, no rescale, one of two conditions"""
    if isinstance(node, ast.BinOp) and not isinstance(node.op, (ast.MatMult, ast.FloorDiv, ast.Mod, ast.LShift)):
        yield code.replace(node, code.atom(node.left))
        if isinstance(node.op, (ast.Add, ast.Mult, ast.BitAnd, ast.BitOr)):
            yield code.replace(node, code.atom(node.right))
    if isinstance(node, ast.BoolOp):
        for value in node.values:
            yield code.replace(node, code.atom(value))


@operator
def swapped_operands(node: ast.AST, code: Code) -> Iterator[Change]:
    """`b - a` for `a - b`"""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
        yield code.replace(node, f"{code.atom(node.right)} - {code.atom(node.left)}")


@operator
def polarity(node: ast.AST, code: Code) -> Iterator[Change]:
    """A mask the wrong way round"""
    if isinstance(node, ast.UnaryOp) and not is_number(node.operand):
        if not (isinstance(node.op, ast.Not) and isinstance(code.parent(node), ast.Assert)):
            yield code.replace(node, code.atom(node.operand))
    if is_method(node, "masked_fill", "masked_fill_", "where", "masked_fill"):
        assert isinstance(node, ast.Call)
        if node.args and not isinstance(node.args[0], ast.UnaryOp):
            yield code.replace(node.args[0], f"~{code.atom(node.args[0])}")


@operator
def constants(node: ast.AST, code: Code) -> Iterator[Change]:
    """Numbers by one: dims, diagonals, windows, indices"""
    parent = code.parent(node)
    if isinstance(node, ast.Constant) and isinstance(node.value, float):
        for text in {0.0: ["1.0"], 1.0: ["0.0", "2.0"]}.get(node.value, [repr(2 * node.value)]):
            yield code.replace(node, text)
    number = whole(node)
    if number is None or whole(parent) is not None or _is_shape(node, code):
        return
    for new in (number + 1, number - 1):
        yield code.replace(node, str(new))


def _is_shape(node: ast.AST, code: Code) -> bool:
    """A number with a rule of its own (transposes), or a size whose change only raises."""
    parent = code.parent(node)
    if isinstance(parent, ast.Tuple):
        parent = code.parent(parent)
    return parent is not None and is_method(parent, "transpose", "permute", *ORDERED)


@operator
def infinities(node: ast.AST, code: Code) -> Iterator[Change]:
    """A finite number for minus infinity, zero for it"""
    minus = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and code.text(node.operand).endswith(".inf")
    if minus or (isinstance(node, ast.Call) and code.text(node) in ('float("-inf")', "float('-inf')")):
        yield code.replace(node, "-1e4")
        yield code.replace(node, "0.0")
    if isinstance(node, ast.Attribute) and node.attr == "min" and "finfo" in code.text(node):
        yield code.replace(node, "-1e4")
        yield code.replace(node, 'float("-inf")')


@operator
def flags(node: ast.AST, code: Code) -> Iterator[Change]:
    """True for False"""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool) and not _is_keepdim(node, code):
        yield code.replace(node, str(not node.value))


def _is_keepdim(node: ast.AST, code: Code) -> bool:
    parent = code.parent(node)
    return isinstance(parent, ast.keyword) and parent.arg == "keepdim"


@operator
def names(node: ast.AST, code: Code) -> Iterator[Change]:
    """`tril` for `triu`, `min` for `max`, another dtype"""
    if isinstance(node, ast.Attribute) and node.attr in NAMES and "finfo" not in code.text(node):
        end = code.span(node)[1]
        for new in NAMES[node.attr]:
            yield [Edit(end - len(node.attr), end, new)]
    if isinstance(node, ast.Name) and node.id in ("min", "max") and isinstance(code.parent(node), ast.Call):
        yield code.replace(node, "max" if node.id == "min" else "min")


@operator
def roots(node: ast.AST, code: Code) -> Iterator[Change]:
    """A scale without its root"""
    if isinstance(node, ast.Call) and is_method(node, "sqrt"):
        assert isinstance(node.func, ast.Attribute)
        yield code.replace(node, code.atom(node.args[0] if node.args else node.func.value))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        yield code.replace(node, code.atom(node.left))


@operator
def removed_calls(node: ast.AST, code: Code) -> Iterator[Change]:
    """No mask, no transpose, no cast, no copy"""
    removable = ("masked_fill", "transpose", "permute", "clone", "detach", "flip", "nan_to_num", "clamp", *CASTS)
    if is_method(node, *removable) and not isinstance(code.parent(node), ast.Expr):
        assert isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if code.text(node.func.value) != "torch":
            yield code.replace(node, code.text(node.func.value))
        elif len(node.args) > 1 and node.func.attr in removable:
            yield code.replace(node, code.atom(node.args[0]))
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        yield code.replace(node, code.text(node.value))


@operator
def transposes(node: ast.AST, code: Code) -> Iterator[Change]:
    """Other axes"""
    if not is_method(node, "transpose", *ORDERED):
        return
    assert isinstance(node, ast.Call)
    arguments = node.args
    if is_method(node, "transpose"):
        pair = [whole(argument) for argument in arguments[-2:]]
        if len(pair) == 2 and None not in pair:
            low, high = sorted(n for n in pair if n is not None)
            for new in ((low - 1, low), (high, high + 1) if high != -1 else (low - 1, high)):
                if new != (low, high) and (new[0] < 0) == (low < 0):
                    edits = zip(arguments[-2:], new, strict=True)
                    yield [Edit(*code.span(argument), str(n)) for argument, n in edits]
        return
    if len(arguments) == 1 and isinstance(arguments[0], ast.Tuple):
        arguments = arguments[0].elts
    for first, second in zip(arguments, arguments[1:], strict=False):
        if code.text(first) != code.text(second) and not {"-1", "*"} & {code.text(first)[:2], code.text(second)[:2]}:
            yield code.swap(first, second)


@operator
def repeats(node: ast.AST, code: Code) -> Iterator[Change]:
    """Heads tiled for heads repeated, and the other way round"""
    if is_method(node, "repeat_interleave"):
        assert isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        function = code.text(node.func.value) == "torch"
        tensor, rest = (node.args[0], node.args[1:]) if function else (node.func.value, node.args)
        dim = next((word.value for word in node.keywords if word.arg == "dim"), rest[1] if len(rest) > 1 else None)
        if rest and dim is not None:
            yield code.replace(node, f"torch.cat([{code.text(tensor)}] * {code.atom(rest[0])}, dim={code.text(dim)})")
    if is_method(node, "repeat"):
        assert isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        counts = [n for n, argument in enumerate(node.args) if whole(argument) != 1]
        if len(counts) == 1:
            count = code.text(node.args[counts[0]])
            yield code.replace(node, f"{code.text(node.func.value)}.repeat_interleave({count}, dim={counts[0]})")


@operator
def arguments_in_order(node: ast.AST, code: Code) -> Iterator[Change]:
    """Two arguments swapped: `where`, `cat`, an index, a subscript of einsum"""
    if is_method(node, "where") and isinstance(node, ast.Call) and len(node.args) == 3:
        yield code.swap(node.args[1], node.args[2])
    if is_method(node, "cat", "stack", "concat") and isinstance(node, ast.Call) and node.args:
        listed = node.args[0]
        if isinstance(listed, (ast.Tuple, ast.List)) and len(listed.elts) > 1:
            yield code.swap(listed.elts[0], listed.elts[1])
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
        for first, second in zip(node.slice.elts, node.slice.elts[1:], strict=False):
            if code.text(first) != code.text(second):
                yield code.swap(first, second)
    if is_method(node, "einsum") and isinstance(node, ast.Call) and isinstance(node.args[0], ast.Constant):
        equation = str(node.args[0].value)
        if len(equation.rpartition("->")[2].strip()) > 1:
            yield code.replace(node.args[0], repr(equation[:-2] + equation[-1] + equation[-2]).replace("'", '"'))


@operator
def slices(node: ast.AST, code: Code) -> Iterator[Change]:
    """A slice by one; the other half"""
    if not isinstance(node, ast.Slice):
        return
    if node.lower is not None and whole(node.lower) is None:
        yield code.replace(node.lower, f"{code.atom(node.lower)} + 1")
    if node.upper is not None and whole(node.upper) is None:
        yield code.replace(node.upper, f"{code.atom(node.upper)} - 1")
    if node.step is None and (node.lower is None) != (node.upper is None):
        text = code.text(node.lower) + ":" if node.lower is not None else ""
        yield code.replace(node, f":{text[:-1]}" if text else f"{code.text(node.upper)}:")  # type: ignore[arg-type]


@operator
def counts(node: ast.AST, code: Code) -> Iterator[Change]:
    """Ranges, diagonals and compared sizes by one"""
    operands: list[ast.expr] = []
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in COUNTED:
            operands = node.args[:2] if name in ("arange", "range") else node.args[-1:]
            operands += [word.value for word in node.keywords if word.arg == "diagonal"]
        if (
            name in ("triu", "tril")
            and not node.keywords
            and len(node.args) == (code.text(node.func) == f"torch.{name}")
        ):
            end = code.span(node)[1] - 1
            yield [Edit(end, end, ", 1" if node.args else "1")]
            yield [Edit(end, end, ", -1" if node.args else "-1")]
            return
    for operand in operands:
        if whole(operand) is None and not isinstance(operand, (ast.Starred, ast.Call)):
            yield code.replace(operand, f"{code.text(operand)} + 1")
            yield code.replace(operand, f"{code.text(operand)} - 1")


@operator
def other_sizes(node: ast.AST, code: Code) -> Iterator[Change]:
    """Another size, another tensor"""
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return
    for group in _groups(code.function(node)):
        if node.id in group and len(group) > 1:
            other = group[(group.index(node.id) + 1) % len(group)]
            if not _agree(node, other, code):
                yield code.replace(node, other)


EQUAL_SIZES = {("q", "k"): -1, ("k", "v"): -2}


def _agree(node: ast.Name, other: str, code: Code) -> bool:
    """Whether the other tensor has the same size, dtype or device there by definition."""
    parent = code.parent(node)
    if not isinstance(parent, ast.Attribute):
        return False
    asked = code.parent(parent)
    if parent.attr in ("size", "shape") and isinstance(asked, (ast.Call, ast.Subscript)):
        place = asked.args[0] if isinstance(asked, ast.Call) and asked.args else getattr(asked, "slice", None)
        dim = whole(place)
        return dim is None or dim in (0, 1, -3, -4) or EQUAL_SIZES.get((node.id, other)) in (dim, dim - 4)
    return parent.attr in ("dtype", "device", "ndim", "dim", "new_zeros", "new_ones", "new_full", "new_empty")


def _groups(function: ast.FunctionDef | None) -> list[list[str]]:
    """Names of one kind: unpacked together, or parameters with the same plain type."""
    if function is None:
        return []
    groups = []
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            names = [name.id for name in node.targets[0].elts if isinstance(name, ast.Name) and name.id != "_"]
            groups.append(names)
    for kind in ("Tensor", "torch.Tensor", "int"):
        listed = [a.arg for a in function.args.args if a.annotation is not None and ast.unparse(a.annotation) == kind]
        groups.append(listed)
    return groups


@operator
def choices(node: ast.AST, code: Code) -> Iterator[Change]:
    """One branch always"""
    if isinstance(node, ast.IfExp):
        yield code.replace(node, code.atom(node.body))
        yield code.replace(node, code.atom(node.orelse))
    if isinstance(node, (ast.If, ast.While)) and not _asks_for_none(node.test):
        if isinstance(node, ast.If):
            yield code.replace(node.test, "True")
        yield code.replace(node.test, "False")


def _asks_for_none(test: ast.AST) -> bool:
    return isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Is, ast.IsNot))


@operator
def removed_statements(node: ast.AST, code: Code) -> Iterator[Change]:
    """A step left out"""
    if isinstance(node, ast.AugAssign):
        yield code.replace(node, "pass")
        yield [Edit(code.span(node.target)[1], code.span(node.value)[0], " = ")]
    elif isinstance(node, (ast.Break, ast.Continue)) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield code.replace(node, "pass")
    elif isinstance(node, ast.Assign) and len(node.targets) == 1 and _bound_before(node, code):
        yield code.replace(node, "pass")


def _bound_before(node: ast.Assign, code: Code) -> bool:
    """Whether its target had a value already, and no other operator leaves that value alone."""
    target = node.targets[0]
    if isinstance(target, ast.Subscript):
        return True
    function = code.function(node)
    if not isinstance(target, ast.Name) or function is None:
        return False
    first = next((n for n in ast.walk(node.value)), None)
    if is_method(first, "masked_fill", *CASTS) if first is not None else False:
        assert isinstance(first, ast.Call) and isinstance(first.func, ast.Attribute)
        first = first.func.value
    if isinstance(first, ast.BinOp):
        first = first.left
    if isinstance(first, ast.Name) and first.id == target.id:
        return False
    earlier = [n for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    bound = {n.id for n in earlier if n.lineno < node.lineno} | {a.arg for a in function.args.args}
    return target.id in bound


@operator
def removed_arguments(node: ast.AST, code: Code) -> Iterator[Change]:
    """An argument left out"""
    if isinstance(node, ast.Call):
        for word in node.keywords:
            if (
                word.arg in (None, "device", "dim", "dims")
                or isinstance(word.value, ast.Constant)
                and word.value.value in (True, False)
            ):
                continue
            start, end = code.span(word)
            before = code.source.rstrip()[:start].rstrip()
            yield [Edit(len(before) - before.endswith(","), end, "")]


@operator
def detached(node: ast.AST, code: Code) -> Iterator[Change]:
    """Weights cut off from autograd"""
    if is_method(node, "softmax"):
        yield code.replace(node, code.text(node) + ".detach()")


@operator
def written_in_place(node: ast.AST, code: Code) -> Iterator[Change]:
    """An argument of the caller overwritten"""
    function = code.function(node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div)) and isinstance(node.left, ast.Name):
        given = (
            [a.arg for a in function.args.args if a.annotation and "Tensor" in ast.unparse(a.annotation)]
            if function
            else []
        )
        if node.left.id in given:
            name = "mul_" if isinstance(node.op, ast.Mult) else "div_"
            yield code.replace(node, f"{node.left.id}.{name}({code.text(node.right)})")


@operator
def mask_after_softmax(node: ast.AST, code: Code) -> Iterator[Change]:
    """The mask takes weights away that were already shared out"""
    if not is_method(node, "softmax"):
        return
    assert isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    method = code.text(node.func.value) not in ("torch", "F", "torch.nn.functional", "nn.functional")
    scores = node.func.value if method else (node.args[0] if node.args else None)
    filled = _masked(scores, node, code) if isinstance(scores, ast.Name) else scores
    if filled is not None and is_method(filled, "masked_fill"):
        assert isinstance(filled, ast.Call) and isinstance(filled.func, ast.Attribute)
        end = code.span(node)[1]
        unmasked = code.replace(filled, code.text(filled.func.value))
        yield [*unmasked, Edit(end, end, f".masked_fill({code.text(filled.args[0])}, 0.0)")]


def _masked(name: ast.Name, node: ast.AST, code: Code) -> ast.expr | None:
    """The value that a name was last given before this node."""
    function = code.function(node)
    given = [n for n in ast.walk(function) if isinstance(n, ast.Assign)] if function else []
    before = [n for n in given if n.lineno < name.lineno and code.text(n.targets[0]) == name.id]
    return max(before, key=lambda n: n.lineno).value if before else None
