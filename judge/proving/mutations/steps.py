"""Statements left out, branches, masks before and after, autograd."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from judge.proving.mutations.calls import REMOVED
from judge.proving.mutations.code import Change, Code, Edit, operator


@operator
def branches(node: ast.AST, code: Code) -> Iterator[Change]:
    """One branch always"""
    if isinstance(node, ast.IfExp):
        yield code.replace(node, code.atom(node.body))
        yield code.replace(node, code.atom(node.orelse))
    if isinstance(node, ast.If) and not _asks_for_none(node.test):
        yield code.replace(node.test, "True")
        yield code.replace(node.test, "False")


def _asks_for_none(test: ast.AST) -> bool:
    return isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Is, ast.IsNot))


@operator
def removed_statements(node: ast.AST, code: Code) -> Iterator[Change]:
    """A step left out, a sum that forgets"""
    if isinstance(node, ast.AugAssign):
        yield code.replace(node, "pass")
        yield [Edit(code.span(node.target)[1], code.span(node.value)[0], " = ")]
    elif isinstance(node, ast.stmt) and _is_step(node, code):
        yield code.replace(node, "pass")


def _is_step(node: ast.stmt, code: Code) -> bool:
    """Whether the rest still has all its names without this statement."""
    if isinstance(node, ast.Assign):
        return len(node.targets) == 1 and _bound_before(node, code)
    return isinstance(node, (ast.Break, ast.Continue)) or (isinstance(node, ast.Expr) and bool(code.called(node.value)))


def _bound_before(node: ast.Assign, code: Code) -> bool:
    """Whether its target had a value already, and no other operator leaves just that value."""
    target, value = node.targets[0], node.value
    if isinstance(target, ast.Subscript):
        return True
    function = code.function(node)
    if not isinstance(target, ast.Name) or function is None:
        return False
    call = code.called(value, *REMOVED)
    base = call.receiver if call else value.left if isinstance(value, ast.BinOp) else None
    if isinstance(base, ast.Name) and base.id == target.id:
        return False
    given = [n for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    bound = {n.id for n in given if n.lineno < node.lineno} | {a.arg for a in function.args.args}
    return target.id in bound


@operator
def detached(node: ast.AST, code: Code) -> Iterator[Change]:
    """Weights cut off from autograd"""
    if call := code.called(node, "softmax"):
        yield code.replace(call.call, f"{code.text(call.call)}.detach()")


@operator
def written_in_place(node: ast.AST, code: Code) -> Iterator[Change]:
    """A tensor of the caller overwritten"""
    function = code.function(node)
    if not isinstance(node, ast.BinOp) or not isinstance(node.left, ast.Name) or function is None:
        return
    tensors = [a.arg for a in function.args.args if a.annotation and "Tensor" in ast.unparse(a.annotation)]
    method = {ast.Mult: "mul_", ast.Div: "div_"}.get(type(node.op))
    if method and node.left.id in tensors:
        yield code.replace(node, f"{node.left.id}.{method}({code.text(node.right)})")


@operator
def mask_after_softmax(node: ast.AST, code: Code) -> Iterator[Change]:
    """The mask takes weights away that were already shared out"""
    softmax = code.called(node, "softmax")
    if softmax is None:
        return
    scores = softmax.receiver
    filled = code.called(_last_value(scores, code) if isinstance(scores, ast.Name) else scores, "masked_fill")
    if filled is not None and filled.receiver is not None:
        end = code.span(softmax.call)[1]
        mask = code.text(filled.arguments[0])
        unmasked = code.replace(filled.call, code.text(filled.receiver))
        yield [*unmasked, Edit(end, end, f".masked_fill({mask}, 0.0)")]


def _last_value(name: ast.Name, code: Code) -> ast.expr | None:
    """What a name was last given before it is used here."""
    function = code.function(name)
    given = [n for n in ast.walk(function) if isinstance(n, ast.Assign)] if function else []
    before = [n for n in given if n.lineno < name.lineno and code.text(n.targets[0]) == name.id]
    return max(before, key=lambda n: n.lineno).value if before else None
