"""What must not influence what: by changing inputs, and through the Jacobian.

`assert_jacobian` looks at all positions of a small call; the others at those that the author names.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from judge.calls import Call, float_tensors, perform
from judge.checks.layouts import cast
from judge.checks.values import argument_names
from judge.compare import TOLERANCE, CheckFailed, compare, position, type_name


def assert_independent(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    changed: tuple[Any, ...],
    outputs: Any,
    *,
    source: str,
    target: str,
    source_zh: str | None = None,
    target_zh: str | None = None,
) -> None:
    """`function(*arguments)[outputs]` equals `function(*changed)[outputs]`: what was changed must not reach there.

    `outputs` is an index (a tuple of slices or integers, or a bool mask of the result's shape); `source` and `target`
    name both ends in the message, for instance "token 4" and "the output of tokens 0 to 3".
    """
    first, second = (outcome.value for outcome in perform(function, [Call(arguments), Call(changed)]))
    for result in (first, second):
        if not isinstance(result, Tensor):
            raise CheckFailed("type", got=type_name(result), expected="torch.Tensor", of="result")
    try:
        before, after = first[outputs], second[outputs]
    except IndexError:
        raise CheckFailed("shape", got=list(first.shape), expected=None, of="result") from None
    _require_finite(before)
    limit = 100 * TOLERANCE.get(before.dtype, 0.0)
    gap = (before.double() - after.double()).abs() if before.numel() else torch.zeros(1)
    if before.shape != after.shape or not bool((gap <= limit).all()):
        raise CheckFailed(
            "leak",
            source=source,
            target=target,
            source_zh=source_zh or source,
            target_zh=target_zh or target,
            max_change=float(gap.nan_to_num(nan=math.inf).max()),
        )


def _require_finite(result: Tensor, of: str = "result") -> None:
    bad = ~torch.isfinite(result)
    if bad.any():
        flat = int(bad.flatten().int().argmax())
        raise CheckFailed(
            "not_finite",
            of=of,
            kind="NaN" if bool(torch.isnan(result).any()) else "inf",
            wrong=int(bad.sum()),
            total=bad.numel(),
            index=position(flat, result.shape),
        )


def assert_no_gradient(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    outputs: Any,
    argument: int,
    inputs: Any,
    *,
    source: str,
    target: str,
    source_zh: str | None = None,
    target_zh: str | None = None,
    shape: Sequence[int] | None = None,
) -> None:
    """The Jacobian of `result[outputs]` with respect to `arguments[argument][inputs]` is zero (one backward pass).

    `shape` is the result's, where the author knows it: one round trip less. Its dtype is that of the argument.
    """
    dtype = arguments[argument].dtype
    if shape is None:
        result = perform(function, [Call(arguments)])[0].value
        if not isinstance(result, Tensor):
            raise CheckFailed("type", got=type_name(result), expected="torch.Tensor", of="result")
        shape, dtype = result.shape, result.dtype
    cotangent = torch.zeros(tuple(shape), dtype=dtype)
    generator = torch.Generator().manual_seed(77)
    try:
        cotangent[outputs] = torch.rand(cotangent[outputs].shape, generator=generator, dtype=dtype) + 0.5
    except IndexError:
        raise CheckFailed("shape", got=list(shape), expected=None, of="result") from None
    outcome = perform(function, [Call(arguments, cotangents=cotangent)])[0]
    if not isinstance(outcome.value, Tensor):
        raise CheckFailed("type", got=type_name(outcome.value), expected="torch.Tensor", of="result")
    if outcome.value.shape != cotangent.shape:
        raise CheckFailed("shape", got=list(outcome.value.shape), expected=list(cotangent.shape), of="result")
    if outcome.detached:
        raise CheckFailed("detached", of="result")
    gradient = outcome.gradients.get(argument)
    if gradient is None:
        return
    part = gradient[inputs]
    if part.numel() and not bool((part.abs() <= 1e-12).all()):
        raise CheckFailed(
            "leak",
            source=source,
            target=target,
            source_zh=source_zh or source,
            target_zh=target_zh or target,
            max_change=float(part.abs().nan_to_num(nan=math.inf).max()),
        )


MAX_POSITIONS = 128
"""Of a result whose Jacobian is looked at: as many calls travel in the frame."""
ZERO, SEEN = 1e-12, 1e-9
"""Gradients up to ZERO are none, from SEEN on they are one."""


def assert_jacobian(
    function: Callable[..., Any],
    reference: Callable[..., Any],
    call: tuple[Any, ...],
    argument: int = 0,
    *,
    part: int = 0,
    features: tuple[int, int] = (1, 1),
    names: Sequence[str] = (),
) -> None:
    """Every position of the result reads exactly those positions of `call[argument]` that the reference reads.

    A position is an index into all dimensions but the last; `features` says how many last dimensions of the argument
    and of the result are no positions. `part` chooses among the result's float tensors. Computed in float64, one
    backward pass per position of the result, all in one frame: for small calls.
    """
    call = cast(call, torch.float64)
    names = names or argument_names(reference)
    plain = perform(reference, [Call(call, dtype=torch.float64)])[0].value
    results = float_tensors(plain)
    given, lead = _lead(call[argument], features[0]), _lead(results[part], features[1])
    asked = [Call(call, _one_position(results, part, lead, n), dtype=torch.float64) for n in range(math.prod(lead))]
    if len(asked) > MAX_POSITIONS:
        raise ValueError(f"{len(asked)} positions of the result are too many, use a smaller call")
    wanted, found = perform(reference, asked), perform(function, asked)
    name = names[argument] if argument < len(names) else str(argument)
    whole = "result" if plain is results[part] else f"result[{part}]"
    for number, (want, got) in enumerate(zip(wanted, found, strict=True)):
        _compare_shapes(got.value, plain, "result")
        if got.detached and not want.detached:
            raise CheckFailed("detached", of="result")
        expected, reached = (_reach(o.gradients.get(argument), given) for o in (want, got))
        if not bool(torch.isfinite(reached).all()):
            _require_finite(reached, f"gradient of {name}")
        target = f"{whole}{position(number, lead)}"
        leaks, blind = (expected <= ZERO) & (reached > ZERO), (expected >= SEEN) & (reached <= ZERO)
        for wrong, code in ((leaks, "leak"), (blind, "no_influence")):
            if bool(wrong.any()):
                flat = int(torch.where(wrong, reached, -1.0).argmax())
                source, amount = f"{name}{position(flat, given)}", float(reached[flat])
                words = {"source_zh": source, "target_zh": target.replace("result", "结果")}
                raise CheckFailed(code, source=source, target=target, max_change=amount, **words)


def _lead(tensor: Tensor, features: int) -> torch.Size:
    """The sizes of the dimensions that make up a position."""
    return tensor.shape[: tensor.dim() - features] if tensor.dim() > features else tensor.shape


def _one_position(results: list[Tensor], part: int, lead: torch.Size, number: int) -> list[Tensor]:
    cotangents = [torch.zeros_like(result) for result in results]
    block = cotangents[part].view(math.prod(lead), -1)[number]
    block.copy_(torch.rand(block.shape, generator=torch.Generator().manual_seed(number)) + 0.5)
    return cotangents


def _reach(gradient: Tensor | None, lead: torch.Size) -> Tensor:
    """The largest gradient at each position of an argument, flat."""
    if gradient is None:
        return torch.zeros(math.prod(lead), dtype=torch.float64)
    return gradient.reshape(math.prod(lead), -1).abs().amax(-1)


def _compare_shapes(got: Any, expected: Any, of: str) -> None:
    """Type, shape and dtype, not values."""
    if isinstance(expected, Tensor) and isinstance(got, Tensor) and got.shape == expected.shape:
        got = torch.zeros_like(got)
    compare(got, torch.zeros_like(expected) if isinstance(expected, Tensor) else expected, math.inf, of)
