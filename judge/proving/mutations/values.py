"""Numbers by one, infinities, flags, dtypes, other sizes and other weights."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from judge.proving.mutations.code import Change, Code, operator, whole

RULED = ("transpose", "permute", "view", "reshape", "expand", "repeat", "unflatten")
"""Calls whose numbers have operators of their own."""
COUNTED = ("arange", "range", "triu", "tril", "triu_", "tril_", "roll")
NAMES = {
    "triu": "tril", "tril": "triu", "min": "max", "max": "min", "amax": "amin", "amin": "amax", "minimum": "maximum",
    "maximum": "minimum", "any": "all", "all": "any", "sum": "mean", "mean": "sum", "argmax": "argmin",
    "zeros": "ones", "ones": "zeros", "zeros_like": "ones_like", "ones_like": "zeros_like", "new_zeros": "new_ones",
    "new_ones": "new_zeros", "sin": "cos", "cos": "sin", "exp": "exp2", "exp2": "exp", "log": "log2", "log2": "log",
    "softmax": "log_softmax", "floor": "ceil", "ceil": "floor", "logical_and": "logical_or", "rsqrt": "sqrt",
    "logical_or": "logical_and", "float64": "float32", "float32": "float16", "int64": "float32", "bool": "uint8",
}  # fmt: skip
EQUAL_SIZES = {("q", "k"): -1, ("k", "v"): -2}
"""Where two tensors of attention have the same size by definition, batch and heads aside."""


@operator
def constants(node: ast.AST, code: Code) -> Iterator[Change]:
    """Numbers by one: dims, diagonals, windows, indices"""
    if not isinstance(node, (ast.Constant, ast.UnaryOp)):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, float):
        for text in {0.0: ["1.0"], 1.0: ["0.0"]}.get(node.value, [repr(2 * node.value)]):
            yield code.replace(node, text)
    number, parent = whole(node), code.parent(node)
    if isinstance(parent, ast.Tuple):
        parent = code.parent(parent)
    if number is not None and whole(code.parent(node)) is None and not code.called(parent, *RULED):
        yield code.replace(node, str(number + 1))
        yield code.replace(node, str(number - 1))


@operator
def infinities(node: ast.AST, code: Code) -> Iterator[Change]:
    """A finite number for minus infinity, zero for it, infinity for the lowest number"""
    if isinstance(node, ast.UnaryOp) and code.text(node) in ("-math.inf", "-torch.inf"):
        yield code.replace(node, "-1e4")
        yield code.replace(node, "0.0")
    if isinstance(node, ast.Call) and code.text(node) in ('float("-inf")', "float('-inf')"):
        yield code.replace(node, "-1e4")
        yield code.replace(node, "0.0")
    if isinstance(node, ast.Attribute) and node.attr == "min" and "finfo" in code.text(node):
        yield code.replace(node, "-1e4")
        yield code.replace(node, 'float("-inf")')


@operator
def flags(node: ast.AST, code: Code) -> Iterator[Change]:
    """True for False; training and evaluation"""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        parent = code.parent(node)
        if not (isinstance(parent, ast.keyword) and parent.arg in ("keepdim", "strict")):
            yield code.replace(node, str(not node.value))
    if isinstance(node, ast.Attribute) and node.attr == "training" and isinstance(node.ctx, ast.Load):
        yield code.replace(node, "True")
        yield code.replace(node, "False")


@operator
def names(node: ast.AST, code: Code) -> Iterator[Change]:
    """`tril` for `triu`, `min` for `max`, another dtype"""
    if isinstance(node, ast.Attribute) and node.attr in NAMES and "finfo" not in code.text(node):
        yield code.replace(node, code.text(node).removesuffix(node.attr) + NAMES[node.attr])
    if isinstance(node, ast.Name) and node.id in ("min", "max") and isinstance(code.parent(node), ast.Call):
        yield code.replace(node, NAMES[node.id])


@operator
def counts(node: ast.AST, code: Code) -> Iterator[Change]:
    """Ranges and diagonals by one"""
    if not isinstance(node, ast.Call):
        return
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    call = code.called(node, "triu", "tril", "triu_", "tril_")
    if call is not None and not call.arguments and not node.keywords:
        end = code.span(node)[1] - 1
        comma = ", " if node.args else ""
        for diagonal in ("1", "-1"):
            yield code.replace(node, code.source[code.span(node)[0] : end] + f"{comma}{diagonal})")
        return
    if name not in COUNTED:
        return
    operands = list(node.args[:2]) if name in ("arange", "range") else list(call.arguments if call else node.args[1:])
    operands += [word.value for word in node.keywords if word.arg == "diagonal"]
    for operand in operands:
        if whole(operand) is None and not isinstance(operand, (ast.Starred, ast.Call)):
            yield code.replace(operand, f"{code.text(operand)} + 1")
            yield code.replace(operand, f"{code.text(operand)} - 1")


@operator
def other_names(node: ast.AST, code: Code) -> Iterator[Change]:
    """Another size, another tensor, another weight"""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        for group in _groups(code.function(node)):
            other = _next(node.id, group)
            if other and not _agree(node, other, code):
                yield code.replace(node, other)
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and code.text(node.value) == "self":
        other = _next(node.attr, _weights(code))
        if other:
            yield code.replace(node, f"self.{other}")


def _next(name: str, group: list[str]) -> str:
    return group[(group.index(name) + 1) % len(group)] if name in group and len(group) > 1 else ""


def _groups(function: ast.FunctionDef | None) -> list[list[str]]:
    """Names of one kind: unpacked together, or parameters with the same plain type."""
    if function is None:
        return []
    groups = []
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            groups.append([n.id for n in node.targets[0].elts if isinstance(n, ast.Name) and n.id != "_"])
    for kinds in (("Tensor", "torch.Tensor"), ("int",)):
        groups.append([a.arg for a in function.args.args if a.annotation and ast.unparse(a.annotation) in kinds])
    return groups


def _weights(code: Code) -> list[str]:
    """Attributes of `self` that are made by one call: `nn.Linear` ..."""
    found = []
    for node in ast.walk(code.tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute) and code.called(node.value):
            found.append(node.targets[0].attr)
    return found


def _agree(node: ast.Name, other: str, code: Code) -> bool:
    """Whether the other tensor has the same size, dtype or device there by definition."""
    parent = code.parent(node)
    if not isinstance(parent, ast.Attribute):
        return False
    asked = code.parent(parent)
    if parent.attr in ("size", "shape") and isinstance(asked, (ast.Call, ast.Subscript)):
        place = asked.slice if isinstance(asked, ast.Subscript) else next(iter(asked.args), None)
        dim = whole(place)
        return dim is None or dim in (0, 1, -3, -4) or EQUAL_SIZES.get((node.id, other)) in (dim, dim - 4)
    return parent.attr in ("shape", "dtype", "device", "ndim", "dim", "new_zeros", "new_ones", "new_full", "new_empty")
