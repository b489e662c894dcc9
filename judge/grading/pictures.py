"""What a sample case showed, as numbers small enough for a page: at most 32 x 32 of each tensor."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

MAX_SIDE = 32
MAX_NUMBERS = 8192
"""In one picture, over all its tensors; what comes later is left out."""
MAX_OF_TENSOR = 2048


@dataclass
class Room:
    """How much may still be shown: numbers in all, rows and columns of each tensor, digits of each number."""

    numbers: int = MAX_NUMBERS
    side: int = MAX_SIDE
    digits: int = 6


def window(shape: Sequence[int], around: Sequence[int] | None, room: Room) -> tuple[slice, ...]:
    """The part of a tensor that is shown: of the last two axes all or `side / 2`, of those before what finds room.

    It holds the element `around`, where one is given.
    """
    slices: list[slice] = []
    taken = 1
    for back, size in enumerate(reversed(shape)):
        if back < 2:
            kept = size if size <= room.side else room.side // 2
        else:
            kept = min(size, max(1, MAX_OF_TENSOR // max(taken, 1)))
        middle = around[len(shape) - 1 - back] if around else 0
        start = max(0, min(middle - kept // 2, size - kept))
        slices.append(slice(start, start + kept))
        taken *= kept
    return tuple(reversed(slices))


def shown(value: Any, room: Room, around: Sequence[int] | None = None) -> Any:
    """A value as JSON; `room` becomes smaller by what it takes. Of a large tensor the window `around` an element."""
    if isinstance(value, Tensor):
        return _tensor(value.detach(), room, around)
    room.numbers -= 1
    if room.numbers < 0:
        return "..."
    if isinstance(value, dict):
        value = [[str(key)[:100], item] for key, item in value.items()]
    if isinstance(value, (list, tuple)):
        return [shown(item, room) for item in value[:8]]
    if value is None or isinstance(value, (bool, int, float, str)):
        return numbers(value, room.digits)
    return type(value).__name__


def _tensor(value: Tensor, room: Room, around: Sequence[int] | None) -> dict[str, Any]:
    part = window(value.shape, around, room)
    cut = value[part]
    room.numbers -= cut.numel()
    if room.numbers < 0:
        cut = cut.flatten()[:0]
    facts: dict[str, Any] = {
        "shape": list(value.shape),
        "dtype": str(value.dtype).removeprefix("torch."),
        "cut": cut.numel() < value.numel(),
    }
    if any(one.start for one in part):
        facts["from"] = [one.start for one in part]
    if cut.is_complex():
        cut = torch.view_as_real(cut)
    return {**facts, "values": numbers(cut, room.digits)}


def numbers(value: Any, digits: int) -> Any:
    """JSON has no NaN or infinity: they travel as words. Six digits are enough for a page."""
    if isinstance(value, Tensor):
        value = value.tolist()
    if isinstance(value, list):
        return [numbers(item, digits) for item in value]
    if isinstance(value, float):
        return float(f"{value:.{digits}g}") if math.isfinite(value) else str(value)
    if isinstance(value, int) and abs(value) > 1 << 53:
        return str(value)[:100]
    return value[:1000] if isinstance(value, str) else value
