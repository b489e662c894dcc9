"""What a sample case showed, as numbers small enough for a page: at most 32 x 32 of each tensor."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from judge.compare import Comparison

MAX_SIDE = 32
MAX_NUMBERS = 8192
"""In one picture, over all its tensors; what comes later is left out."""


def picture(comparison: Comparison) -> dict[str, Any]:
    """One comparison as JSON: inputs, expected, got; tensors as `{"shape", "dtype", "cut", "values"}`."""
    left = [MAX_NUMBERS]
    return {
        "of": comparison.of,
        "names": list(comparison.inputs),
        "inputs": [_shown(value, left) for value in comparison.inputs.values()],
        "expected": _shown(comparison.expected, left),
        "got": _shown(comparison.got, left),
    }


def _shown(value: Any, left: list[int]) -> Any:
    if isinstance(value, Tensor):
        cut = _cut(value.detach())
        left[0] -= cut.numel()
        shown: dict[str, Any] = {"shape": list(value.shape), "dtype": str(value.dtype).removeprefix("torch.")}
        if left[0] < 0:
            cut = cut.flatten()[:0]
        if cut.is_complex():
            cut = torch.view_as_real(cut)
        return {**shown, "cut": cut.numel() < value.numel(), "values": _plain(cut.tolist())}
    left[0] -= 1
    if left[0] < 0:
        return "..."
    if isinstance(value, (list, tuple)):
        return [_shown(item, left) for item in value[:8]]
    if value is None or isinstance(value, (bool, int, float, str)):
        return _plain(value)
    return type(value).__name__


def _cut(tensor: Tensor) -> Tensor:
    """The first 32 x 32 of the last two dimensions; of those before two each, while that makes at most 8 pictures."""
    pictures = 1
    for dimension in range(tensor.dim()):
        side = MAX_SIDE
        if dimension < tensor.dim() - 2:
            side = 2 if pictures <= 4 else 1
            pictures *= min(side, tensor.shape[dimension])
        tensor = tensor.narrow(dimension, 0, min(side, tensor.shape[dimension]))
    return tensor


def _plain(value: Any) -> Any:
    """JSON has no NaN or infinity: they travel as words. Six digits are enough for a page."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return float(f"{value:.6g}") if math.isfinite(value) else str(value)
    if isinstance(value, int) and abs(value) > 1 << 53:
        return str(value)[:100]
    return value[:1000] if isinstance(value, str) else value
