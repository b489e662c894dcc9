"""What half precision may make of a call, where its rounding shows: a tolerance that another order of steps keeps."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from judge.checks.circumstances import exact
from judge.remote.calls import Call, Outcome, float_tensors, perform

LEAST = {torch.float16: 2e-2, torch.bfloat16: 0.1}


def in_half(function: Callable[..., Any], arguments: tuple[Any, ...], dtype: torch.dtype) -> tuple[Outcome, float]:
    """What comes of a call in float16 or bfloat16, by exact steps, and the tolerance.

    That is never below the one of the checks, nor below what slightly moved arguments lose. Raises OverflowError where
    the reference does not stay finite: others may.
    """
    call = Call(arguments, dtype=dtype)
    (own,) = perform(function, [call])
    if not all(bool(tensor.isfinite().all()) for tensor in float_tensors(own.value)):
        raise OverflowError
    expected = exact(function, call, most_moved=math.inf)
    return expected.outcome, max(LEAST[dtype], expected.tolerance or 0.0)
