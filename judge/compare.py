"""One result against one expected value: type, shape, dtype, values. What differs is a `CheckFailed` with a finding.

Tolerances follow the dtype of the result, relative and absolute: see `TOLERANCE`.
"""

from __future__ import annotations

import math
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from judge.model import Finding

TOLERANCE = {torch.float64: 1e-10, torch.float32: 1e-5, torch.float16: 5e-3, torch.bfloat16: 3e-2}


def _plain(value: Any) -> Any:
    """JSON has no infinity."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


class CheckFailed(AssertionError):
    """A wrong answer. `finding` says what is wrong as data."""

    def __init__(self, code: str, **facts: Any) -> None:
        self.finding: Finding = {"code": code, **{key: _plain(value) for key, value in facts.items()}}
        super().__init__(str(self.finding))


@dataclass(frozen=True)
class Comparison:
    """Seen by the grader in sample cases: what went in (by the arguments' names), what came back, what was expected."""

    inputs: dict[str, Any]
    got: Any
    expected: Any
    of: str
    tolerance: float | None = None


observed: ContextVar[list[Comparison] | None] = ContextVar("observed", default=None)
asked: ContextVar[dict[str, Any]] = ContextVar("asked", default={})  # noqa: B039  never changed in place
"""The inputs of the last call through the stand-in."""


def observe(
    got: Any, expected: Any, of: str, inputs: dict[str, Any] | None = None, tolerance: float | None = None
) -> None:
    seen = observed.get()
    if seen is not None:
        seen.append(Comparison(asked.get() if inputs is None else inputs, got, expected, of, tolerance))


def type_name(value: Any) -> str:
    """`torch.Tensor`, `list`, `None` ... as a learner would write it."""
    if value is None:
        return "None"
    if isinstance(value, Tensor):
        return "torch.Tensor"
    return type(value).__name__


def dtype_name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def position(flat: int, shape: torch.Size) -> list[int]:
    index: list[int] = []
    for size in reversed(shape):
        index.append(flat % size)
        flat //= size
    return index[::-1]


def compare(got: Any, expected: Any, tolerance: float | None, of: str) -> None:
    if isinstance(expected, Tensor):
        if not isinstance(got, Tensor):
            raise CheckFailed("type", got=type_name(got), expected="torch.Tensor", of=of)
        _compare_tensors(got, expected, tolerance, of)
    elif isinstance(expected, (tuple, list)):
        if not isinstance(got, (tuple, list)):
            raise CheckFailed("type", got=type_name(got), expected=type_name(expected), of=of)
        if len(got) != len(expected):
            raise CheckFailed("length", got=len(got), expected=len(expected), of=of)
        for number, (one, other) in enumerate(zip(got, expected, strict=True)):
            compare(one, other, tolerance, f"{of}[{number}]")
    elif isinstance(expected, dict):
        if not isinstance(got, dict) or set(got) != set(expected):
            raise CheckFailed("type", got=type_name(got), expected=type_name(expected), of=of)
        for key in expected:
            compare(got[key], expected[key], tolerance, f"{of}[{key!r}]")
    elif isinstance(expected, float):
        if type(got) not in (float, int):
            raise CheckFailed("type", got=type_name(got), expected="float", of=of)
        limit = 1e-6 if tolerance is None else tolerance
        same = got == expected or (math.isnan(got) and math.isnan(expected))
        if not same and not abs(got - expected) <= limit * (1 + abs(expected)):
            raise CheckFailed("number", of=of)
    elif type(got) is not type(expected):
        raise CheckFailed("type", got=type_name(got), expected=type_name(expected), of=of)
    elif got != expected:
        raise CheckFailed("number", of=of)


def _compare_tensors(got: Tensor, expected: Tensor, tolerance: float | None, of: str) -> None:
    got, expected = got.detach(), expected.detach()
    if got.shape != expected.shape:
        raise CheckFailed("shape", got=list(got.shape), expected=list(expected.shape), of=of)
    if got.dtype != expected.dtype:
        raise CheckFailed("dtype", got=dtype_name(got.dtype), expected=dtype_name(expected.dtype), of=of)
    if expected.numel() == 0:
        return
    if not (expected.is_floating_point() or expected.is_complex()):
        wrong = got != expected
        if wrong.any():
            flat = int(wrong.flatten().int().argmax())
            raise CheckFailed(
                "elements",
                of=of,
                wrong=int(wrong.sum()),
                total=wrong.numel(),
                index=position(flat, got.shape),
                dtype=dtype_name(got.dtype),
            )
        return
    limit = tolerance_for(expected.dtype, tolerance)
    if expected.dtype in (torch.float64, torch.float32) and torch.allclose(got, expected, rtol=limit, atol=limit):
        return  # the usual case, in one step; what is wrong is looked at below
    wide_got, wide = got.to(torch.float64), expected.to(torch.float64)
    bad = ~torch.isfinite(wide_got) & torch.isfinite(wide)
    if bad.any():
        flat = int(bad.flatten().int().argmax())
        kind = "NaN" if bool(torch.isnan(wide_got).flatten()[flat]) else "inf"
        raise CheckFailed(
            "not_finite", of=of, kind=kind, wrong=int(bad.sum()), total=bad.numel(), index=position(flat, got.shape)
        )
    wrong, error = deviation(wide_got, wide, limit)
    if wrong.any():
        largest = torch.where(wrong, error.nan_to_num(nan=math.inf), -1.0)
        flat = int(largest.flatten().argmax())
        raise CheckFailed(
            "values",
            of=of,
            wrong=int(wrong.sum()),
            total=wrong.numel(),
            max_error=float(largest.flatten()[flat]),
            index=position(flat, got.shape),
            tolerance=limit,
            dtype=dtype_name(got.dtype),
        )


def tolerance_for(dtype: torch.dtype, tolerance: float | None) -> float:
    """What was asked for, else that of the dtype."""
    return TOLERANCE.get(dtype, 1e-5) if tolerance is None else tolerance


def deviation(got: Tensor, expected: Tensor, limit: float) -> tuple[Tensor, Tensor]:
    """Which elements of two float64 tensors of one shape differ, and by how much; NaN where one alone is NaN."""
    same = (got == expected) | (torch.isnan(got) & torch.isnan(expected))
    error = torch.where(same, 0.0, (got - expected).abs())
    return ~(error <= limit * (1 + torch.where(torch.isfinite(expected), expected.abs(), 0.0))), error


MAX_NAMES = 20
"""That a finding lists."""


def compare_parameters(mine: dict[str, tuple[int, ...]], theirs: dict[str, tuple[int, ...]]) -> None:
    """Raises with the names that are missing, extra or misshapen."""
    missing, extra = sorted(set(theirs) - set(mine)), sorted(set(mine) - set(theirs))
    misshapen = [[n, list(mine[n]), list(theirs[n])] for n in sorted(set(mine) & set(theirs)) if mine[n] != theirs[n]]
    if missing or extra or misshapen:
        raise CheckFailed(
            "parameters", missing=missing[:MAX_NAMES], extra=extra[:MAX_NAMES], misshapen=misshapen[:MAX_NAMES]
        )
