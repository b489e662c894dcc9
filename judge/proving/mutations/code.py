"""The source that operators look at, and the edits they answer with.

An edit replaces a stretch of characters, so that all other text stays as it was. Left alone are docstrings, type hints,
imports, asserts, checks that only raise, `device=`, and `super().__init__()`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

MODULES = ("torch", "math", "F", "nn", "np", "torch.nn.functional", "nn.functional")
"""What stands before a function's name, where it is no tensor."""


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


@dataclass(frozen=True)
class Called:
    """`receiver.name(arguments)`; for `torch.name(tensor, rest)` the receiver is the tensor."""

    call: ast.Call
    name: str
    receiver: ast.expr | None
    arguments: Sequence[ast.expr]
    of_module: bool

    def keyword(self, name: str) -> ast.expr | None:
        return next((word.value for word in self.call.keywords if word.arg == name), None)


class Code:
    """A source, and what operators ask about its tree."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.tree = ast.parse(source)
        self.parents = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}
        self._lines = [f"{line}\n" for line in source.split("\n")]
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def _place(self, line: int, column: int) -> int:
        """A position of the parser (columns in bytes) as a number of characters."""
        return self._starts[line - 1] + len(self._lines[line - 1].encode()[:column].decode())

    def span(self, node: ast.expr | ast.stmt | ast.keyword) -> tuple[int, int]:
        end = self._place(node.end_lineno or node.lineno, node.end_col_offset or 0)
        return self._place(node.lineno, node.col_offset), end

    def text(self, node: ast.expr | ast.stmt | ast.keyword) -> str:
        start, end = self.span(node)
        return self.source[start:end]

    def atom(self, node: ast.expr) -> str:
        """The text of an expression, in brackets unless it binds tightly by itself."""
        tight = (ast.Name, ast.Call, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.List)
        return self.text(node) if isinstance(node, tight) else f"({self.text(node)})"

    def replace(self, node: ast.expr | ast.stmt, text: str) -> Change:
        return [Edit(*self.span(node), text)]

    def swap(self, first: ast.expr, second: ast.expr) -> Change:
        return [Edit(*self.span(first), self.text(second)), Edit(*self.span(second), self.text(first))]

    def sign(self, left: ast.expr, right: ast.expr, old: str, new: str) -> Iterator[Change]:
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

    def called(self, node: ast.AST | None, *names: str) -> Called | None:
        """A call of a method or of a module's function of one of these names (of any, without names)."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return None
        if names and node.func.attr not in names:
            return None
        if self.text(node.func.value) in MODULES:
            return Called(node, node.func.attr, node.args[0] if node.args else None, node.args[1:], True)
        return Called(node, node.func.attr, node.func.value, node.args, False)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes that may be changed, in the order of the source."""
        return [node for node in self._walk(self.tree) if isinstance(node, (ast.expr, ast.stmt))]

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


def whole(node: ast.AST | None) -> int | None:
    """The value of a whole-number literal, with its sign."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = whole(node.operand)
        return None if inner is None else -inner
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def listed(arguments: Sequence[ast.expr]) -> Sequence[ast.expr]:
    """Sizes or axes: as arguments, or in one tuple."""
    if len(arguments) == 1 and isinstance(arguments[0], (ast.Tuple, ast.List)):
        return arguments[0].elts
    return arguments
