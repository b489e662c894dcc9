"""Comparisons, signs, dropped and swapped operands, roots."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from judge.proving.mutations.code import Change, Code, operator, whole

COMPARISONS = {
    ast.Lt: ("<", ("<=", ">")), ast.LtE: ("<=", ("<", ">=")), ast.Gt: (">", (">=", "<")),
    ast.GtE: (">=", (">", "<=")), ast.Eq: ("==", ("!=",)), ast.NotEq: ("!=", ("==",)),
}  # fmt: skip
SIGNS = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"), ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"), ast.Mod: ("%", "//"), ast.FloorDiv: ("//", "%"), ast.BitXor: ("^", "|"),
}  # fmt: skip
TWO_SIDED = (ast.Add, ast.Mult, ast.BitAnd, ast.BitOr)
KEPT = (ast.MatMult, ast.FloorDiv, ast.Mod, ast.LShift, ast.Pow)
"""Operators whose result without one operand only raises; powers are in `roots`."""


@operator
def comparisons(node: ast.AST, code: Code) -> Iterator[Change]:
    """`<` for `<=`, the other way round"""
    if isinstance(node, ast.Compare):
        for (left, right), sign in zip(pairwise([node.left, *node.comparators]), node.ops, strict=True):
            old, others = COMPARISONS.get(type(sign), ("", ()))
            for new in others:
                yield from code.sign(left, right, old, new)


@operator
def signs(node: ast.AST, code: Code) -> Iterator[Change]:
    """`+` for `-`, `*` for `/`, `&` for `|`"""
    if isinstance(node, ast.BinOp) and type(node.op) in SIGNS:
        yield from code.sign(node.left, node.right, *SIGNS[type(node.op)])
    if isinstance(node, ast.AugAssign) and type(node.op) in SIGNS:
        old, new = SIGNS[type(node.op)]
        yield from code.sign(node.target, node.value, f"{old}=", f"{new}=")


@operator
def dropped_operands(node: ast.AST, code: Code) -> Iterator[Change]:
    """No scale, no rescale, one of two conditions"""
    if isinstance(node, ast.BinOp) and not isinstance(node.op, KEPT):
        yield code.replace(node, code.atom(node.left))
        if isinstance(node.op, TWO_SIDED):
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
def roots(node: ast.AST, code: Code) -> Iterator[Change]:
    """A scale without its root, a value without its power"""
    if (call := code.called(node, "sqrt")) and call.receiver is not None:
        yield code.replace(call.call, code.atom(call.receiver))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        yield code.replace(node, code.atom(node.left))


@operator
def polarity(node: ast.AST, code: Code) -> Iterator[Change]:
    """A mask or a sign the wrong way round"""
    if isinstance(node, ast.UnaryOp) and whole(node) is None:
        yield code.replace(node, code.atom(node.operand))
    call = code.called(node, "masked_fill", "masked_fill_", "where")
    if call is not None:
        mask = call.call.args[0] if call.name == "where" else call.arguments[0]
        if not isinstance(mask, ast.UnaryOp):
            yield code.replace(mask, f"~{code.atom(mask)}")
