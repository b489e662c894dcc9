"""Transposes, reshapes, repeats, casts, slices; arguments left out or swapped."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from judge.proving.mutations.code import Change, Code, Edit, listed, operator, whole

CASTS = ("float", "double", "half", "to", "type_as", "bool", "long", "int", "type")
REMOVED = (
    "masked_fill", "transpose", "permute", "clone", "flip", "nan_to_num", "clamp", "tanh", "abs", "cumsum", "dropout",
    "roll", "tril", "triu", *CASTS,
)  # fmt: skip
KEPT_WORDS = ("device", "dim", "dims", "keepdim")


@operator
def removed_calls(node: ast.AST, code: Code) -> Iterator[Change]:
    """No mask, no transpose, no cast, no copy"""
    call = code.called(node, *REMOVED)
    if call is not None and call.receiver is not None and not isinstance(code.parent(call.call), ast.Expr):
        yield code.replace(call.call, code.atom(call.receiver))
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        yield code.replace(node, code.text(node.value))


@operator
def transposes(node: ast.AST, code: Code) -> Iterator[Change]:
    """The axes beside"""
    call = code.called(node, "transpose")
    if call is None or len(call.arguments) != 2:
        return
    first, second = (whole(argument) for argument in call.arguments)
    if first is None or second is None or (first < 0) != (second < 0):
        return
    low, high = sorted((first, second))
    for new in ((low - 1, low), (high, high + 1), (low - 1, high)):
        if (new[0] < 0) == (new[1] < 0) == (low < 0):
            yield [Edit(*code.span(axis), str(n)) for axis, n in zip(call.arguments, new, strict=True)]


@operator
def shapes(node: ast.AST, code: Code) -> Iterator[Change]:
    """Two sizes or axes swapped"""
    call = code.called(node, "view", "reshape", "expand", "permute", "repeat", "unflatten")
    if call is not None:
        sizes = listed(call.arguments[1:] if call.name == "unflatten" else call.arguments)
        for first, second in pairwise(sizes):
            texts = {code.text(first), code.text(second)}
            if len(texts) == 2 and "-1" not in texts and not any(text.startswith("*") for text in texts):
                yield code.swap(first, second)


@operator
def repeats(node: ast.AST, code: Code) -> Iterator[Change]:
    """Heads tiled for heads repeated, and the other way round"""
    call = code.called(node, "repeat_interleave", "repeat")
    if call is None or call.receiver is None or not call.arguments:
        return
    if call.name == "repeat_interleave":
        dim = call.keyword("dim") or next(iter(call.arguments[1:]), None)
        if dim is not None:
            times = code.atom(call.arguments[0])
            yield code.replace(call.call, f"torch.cat([{code.text(call.receiver)}] * {times}, dim={code.text(dim)})")
        return
    dims = [n for n, argument in enumerate(call.arguments) if whole(argument) != 1]
    if len(dims) == 1:
        times = code.text(call.arguments[dims[0]])
        yield code.replace(call.call, f"{code.atom(call.receiver)}.repeat_interleave({times}, dim={dims[0]})")


@operator
def swapped_arguments(node: ast.AST, code: Code) -> Iterator[Change]:
    """`where`, `cat`, an index, the result of an einsum in another order"""
    if not isinstance(node, (ast.Call, ast.Subscript)):
        return
    if isinstance(node, ast.Subscript):
        if isinstance(node.slice, ast.Tuple):
            for first, second in pairwise(node.slice.elts):
                if code.text(first) != code.text(second):
                    yield code.swap(first, second)
        return
    call = code.called(node, "where", "cat", "concat", "stack", "einsum")
    if call is None or not node.args:
        return
    if call.name == "where":
        yield code.swap(*node.args[-2:])
    elif call.name == "einsum" and isinstance(node.args[0], ast.Constant):
        equation = str(node.args[0].value)
        if len(equation.rpartition("->")[2].strip()) > 1:
            yield code.replace(node.args[0], f'"{equation[:-2]}{equation[-1]}{equation[-2]}"')
    elif isinstance(node.args[0], (ast.Tuple, ast.List)) and len(node.args[0].elts) > 1:
        yield code.swap(*node.args[0].elts[:2])


@operator
def slices(node: ast.AST, code: Code) -> Iterator[Change]:
    """A slice by one; the other part"""
    if not isinstance(node, ast.Slice):
        return
    lower, upper = node.lower, node.upper
    if lower is not None and whole(lower) is None:
        yield code.replace(lower, f"{code.text(lower)} + 1")
    if upper is not None and whole(upper) is None:
        yield code.replace(upper, f"{code.text(upper)} - 1")
    if node.step is None and lower is not None and upper is None:
        yield code.replace(node, f":{code.text(lower)}")
    if node.step is None and upper is not None and lower is None:
        yield code.replace(node, f"{code.text(upper)}:")


@operator
def removed_arguments(node: ast.AST, code: Code) -> Iterator[Change]:
    """An argument left out"""
    if isinstance(node, ast.Call):
        for word in node.keywords:
            flag = isinstance(word.value, ast.Constant) and isinstance(word.value.value, bool)
            if word.arg is not None and word.arg not in KEPT_WORDS and not flag:
                start, end = code.span(word)
                before = code.source[:start].rstrip()
                yield [Edit(len(before) - before.endswith(","), end, "")]
