"""What must not influence what: by changing inputs, and through the Jacobian."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from judge.calls import Call, perform
from judge.compare import TOLERANCE, CheckFailed, position, type_name


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


def _require_finite(result: Tensor) -> None:
    bad = ~torch.isfinite(result)
    if bad.any():
        flat = int(bad.flatten().int().argmax())
        raise CheckFailed(
            "not_finite",
            of="result",
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
