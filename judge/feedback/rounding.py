"""What half precision may make of a call, where its rounding shows: a tolerance that another order of steps keeps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from judge.checks.circumstances import exact, lost
from judge.remote.calls import Call, Outcome, float_tensors, perform

LEAST = {torch.float16: 2e-2, torch.bfloat16: 0.1}
NUDGES, UNITS = 2, 1.5


def in_half(function: Callable[..., Any], arguments: tuple[Any, ...], dtype: torch.dtype) -> tuple[Outcome, float]:
    """What comes of a call in float16 or bfloat16, by exact steps, and the tolerance.

    That is never below the one of the checks, nor below what is lost where arguments are off by `UNITS` of their last
    place. Raises OverflowError where the reference does not stay finite: others may.
    """
    call = Call(arguments, dtype=dtype)
    (own,) = perform(function, [call])
    if not all(bool(tensor.isfinite().all()) for tensor in float_tensors(own.value)):
        raise OverflowError
    expected = exact(function, call)
    tolerance = max(LEAST[dtype], expected.tolerance or 0.0)
    for number in range(NUDGES):
        generator = torch.Generator().manual_seed(number)
        nudged = tuple(_nudged(value, UNITS * torch.finfo(dtype).eps, generator) for value in arguments)
        (moved,) = perform(function, [Call(nudged, dtype=torch.float64)])
        tolerance = max(tolerance, lost(moved.value, expected.outcome.value))
    return expected.outcome, tolerance


def _nudged(value: Any, by: float, generator: torch.Generator) -> Any:
    """In float64, each number a little larger or smaller by chance."""
    if not isinstance(value, Tensor) or not value.is_floating_point():
        return value
    signs = torch.randint(2, value.shape, generator=generator) * 2 - 1
    return value.double() * (1 + by * signs)
