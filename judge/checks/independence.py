"""What must not influence what, at positions that the author names: by changing inputs, and through the Jacobian."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from judge.compare import TOLERANCE, CheckFailed, position, type_name
from judge.remote.calls import Call, Outcome, perform


def assert_no_influence(
    function: Callable[..., Any],
    reference: Callable[..., Any],
    call: tuple[Any, ...],
    argument: int,
    inputs: Any,
    outputs: Any,
    *,
    source: str,
    target: str,
    source_zh: str | None = None,
    target_zh: str | None = None,
) -> None:
    """`result[outputs]` does not depend on `call[argument][inputs]`. One frame.

    That is changed, a little (`2 - x`) and much (`x + 1000`), and looked at through the Jacobian. The reference only
    tells the result's shape.

    `inputs` and `outputs` are indices (tuples of slices and integers, or bool masks); `source` and `target` name both
    ends in the message, for instance "token 4" and "the outputs of tokens 0 to 3".
    """
    words = _Words(source, target, source_zh, target_zh)
    little, much = call[argument].clone(), call[argument].clone()
    little[inputs] = 2 - little[inputs]
    much[inputs] += 1000
    changed = [Call((*call[:argument], other, *call[argument + 1 :])) for other in (little, much)]
    shape = perform(reference, [Call(call)])[0].value
    cotangent = _cotangent(shape.shape, shape.dtype, outputs)
    plain, *moved, pulled = perform(function, [Call(call), *changed, Call(call, cotangents=cotangent)])
    for other in moved:
        _compare_parts(plain.value, other.value, outputs, words)
    _require_no_gradient(pulled, cotangent, argument, inputs, words)


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
    words = _Words(source, target, source_zh, target_zh)
    first, second = (outcome.value for outcome in perform(function, [Call(arguments), Call(changed)]))
    _compare_parts(first, second, outputs, words)


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
    cotangent = _cotangent(shape, dtype, outputs)
    outcome = perform(function, [Call(arguments, cotangents=cotangent)])[0]
    _require_no_gradient(outcome, cotangent, argument, inputs, _Words(source, target, source_zh, target_zh))


@dataclass(frozen=True)
class _Words:
    """Both ends of a leak, in both languages."""

    source: str
    target: str
    source_zh: str | None
    target_zh: str | None

    def leak(self, change: Tensor) -> CheckFailed:
        return CheckFailed(
            "leak",
            source=self.source,
            target=self.target,
            source_zh=self.source_zh or self.source,
            target_zh=self.target_zh or self.target,
            max_change=float(change.nan_to_num(nan=math.inf).max()),
        )


def _compare_parts(first: Any, second: Any, outputs: Any, words: _Words) -> None:
    """Raises the leak if the outputs differ."""
    for result in (first, second):
        if not isinstance(result, Tensor):
            raise CheckFailed("type", got=type_name(result), expected="torch.Tensor", of="result")
    try:
        before, after = first[outputs], second[outputs]
    except IndexError:
        raise CheckFailed("shape", got=list(first.shape), expected=None, of="result") from None
    require_finite(before)
    limit = 100 * TOLERANCE.get(before.dtype, 0.0)
    if before.shape != after.shape:
        raise CheckFailed("shape", got=list(second.shape), expected=list(first.shape), of="result")
    gap = (before.double() - after.double()).abs()
    if not bool((gap <= limit).all()):
        raise words.leak(gap)


def _cotangent(shape: Sequence[int], dtype: torch.dtype, outputs: Any) -> Tensor:
    """Positive numbers at the outputs, else zeros."""
    cotangent = torch.zeros(tuple(shape), dtype=dtype)
    generator = torch.Generator().manual_seed(77)
    try:
        cotangent[outputs] = torch.rand(cotangent[outputs].shape, generator=generator, dtype=dtype) + 0.5
    except IndexError:
        raise CheckFailed("shape", got=list(shape), expected=None, of="result") from None
    return cotangent


def _require_no_gradient(outcome: Outcome, cotangent: Tensor, argument: int, inputs: Any, words: _Words) -> None:
    if not isinstance(outcome.value, Tensor):
        raise CheckFailed("type", got=type_name(outcome.value), expected="torch.Tensor", of="result")
    if outcome.value.shape != cotangent.shape:
        raise CheckFailed("shape", got=list(outcome.value.shape), expected=list(cotangent.shape), of="result")
    if outcome.detached:
        raise CheckFailed("detached", of="result")
    gradient = outcome.gradients.get(argument)
    part = torch.zeros(1) if gradient is None else gradient[inputs]
    if not bool((part.abs() <= 1e-12).all()):
        raise words.leak(part.abs())


def require_finite(result: Tensor, of: str = "result") -> None:
    """Raises where a number is NaN or infinite."""
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
