"""What a sample case showed, as numbers small enough for a page: at most 32 x 32 of each tensor."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from judge.compare import Comparison

MAX_SIDE = 32
MAX_NUMBERS = 8192
"""In one picture, over all its tensors; what comes later is left out."""


@dataclass
class Room:
    """How much may still be shown: numbers in all, rows and columns of each tensor, digits of each number."""

    numbers: int = MAX_NUMBERS
    side: int = MAX_SIDE
    digits: int = 6


def picture(comparison: Comparison) -> dict[str, Any]:
    """One comparison as JSON: inputs, expected, got; tensors as `{"shape", "dtype", "cut", "values"}`."""
    room = Room()
    return {
        "of": comparison.of,
        "names": list(comparison.inputs),
        "inputs": [shown(value, room) for value in comparison.inputs.values()],
        "expected": shown(comparison.expected, room),
        "got": shown(comparison.got, room),
    }


def shown(value: Any, room: Room) -> Any:
    """A value as JSON; `room` becomes smaller by what it takes."""
    if isinstance(value, Tensor):
        cut = _cut(value.detach(), room.side)
        room.numbers -= cut.numel()
        facts: dict[str, Any] = {"shape": list(value.shape), "dtype": str(value.dtype).removeprefix("torch.")}
        if room.numbers < 0:
            cut = cut.flatten()[:0]
        if cut.is_complex():
            cut = torch.view_as_real(cut)
        return {**facts, "cut": cut.numel() < value.numel(), "values": _plain(cut.tolist(), room.digits)}
    room.numbers -= 1
    if room.numbers < 0:
        return "..."
    if isinstance(value, dict):
        value = [[str(key)[:100], item] for key, item in value.items()]
    if isinstance(value, (list, tuple)):
        return [shown(item, room) for item in value[:8]]
    if value is None or isinstance(value, (bool, int, float, str)):
        return _plain(value, room.digits)
    return type(value).__name__


def _cut(tensor: Tensor, side: int) -> Tensor:
    """The first `side` of the last two dimensions; of those before two each, while that makes at most 8 pictures."""
    pictures = 1
    for dimension in range(tensor.dim()):
        size = side
        if dimension < tensor.dim() - 2:
            size = 2 if pictures <= 4 else 1
            pictures *= min(size, tensor.shape[dimension])
        tensor = tensor.narrow(dimension, 0, min(size, tensor.shape[dimension]))
    return tensor


def _plain(value: Any, digits: int) -> Any:
    """JSON has no NaN or infinity: they travel as words. Six digits are enough for a page."""
    if isinstance(value, list):
        return [_plain(item, digits) for item in value]
    if isinstance(value, float):
        return float(f"{value:.{digits}g}") if math.isfinite(value) else str(value)
    if isinstance(value, int) and abs(value) > 1 << 53:
        return str(value)[:100]
    return value[:1000] if isinstance(value, str) else value
