"""What a sample case showed, as numbers small enough for a page: at most 32 x 32 of each tensor."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from judge.compare import Comparison

MAX_SIDE = 32


def picture(comparison: Comparison) -> dict[str, Any]:
    """One comparison as JSON: inputs, expected, got; tensors as `{"shape", "dtype", "values"}`."""
    return {
        "of": comparison.of,
        "names": list(comparison.inputs),
        "inputs": [_shown(value) for value in comparison.inputs.values()],
        "expected": _shown(comparison.expected),
        "got": _shown(comparison.got),
    }


def _shown(value: Any) -> Any:
    if isinstance(value, Tensor):
        cut = value.detach()
        for dimension in range(cut.dim()):
            side = MAX_SIDE if dimension >= cut.dim() - 2 else 2
            cut = cut.narrow(dimension, 0, min(side, cut.shape[dimension]))
        shown: dict[str, Any] = {"shape": list(value.shape), "dtype": str(value.dtype).removeprefix("torch.")}
        if cut.is_complex():
            cut = torch.view_as_real(cut)
        return {**shown, "cut": cut.numel() < value.numel(), "values": _plain(cut.tolist())}
    if isinstance(value, (list, tuple)):
        return [_shown(item) for item in value[:8]]
    if value is None or isinstance(value, (bool, int, float, str)):
        return _plain(value)
    return type(value).__name__


def _plain(value: Any) -> Any:
    """JSON has no NaN or infinity: they travel as words. Six digits are enough for a page."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return float(f"{value:.6g}") if math.isfinite(value) else str(value)
    if isinstance(value, int) and abs(value) > 1 << 53:
        return str(value)[:100]
    return value[:1000] if isinstance(value, str) else value
