"""Where and by how much a result differs from what is expected: data for a picture and for its caption.

    {"wrong", "total", "tolerance", "largest", "at", "odd", "where", "shape", "dtype", "values", "from", "blocks"}

`values` holds got - expected, null where that is within the tolerance; a window of at most `side` x `side` around the
worst element, which begins at `from`. `blocks` is there where the window is not the whole matrix: the share of wrong
elements in each block of it. `judge.captions` puts the rest in a sentence.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from judge.compare import deviation, dtype_name, position, tolerance_for
from judge.grading.pictures import Room, numbers, window

MOST_BLOCKS = 32
"""Rows and columns of `blocks`."""
MOST_PARTS = 8
"""Of a tuple or list of results."""


def contrast(got: Any, expected: Any, tolerance: float | None, room: Room) -> Any:
    """For two tensors of one shape and dtype their contrast, for two lists of them a list; else None."""
    if isinstance(got, (tuple, list)) and isinstance(expected, (tuple, list)) and len(got) == len(expected):
        parts = [
            contrast(one, other, tolerance, room)
            for one, other in zip(got[:MOST_PARTS], expected[:MOST_PARTS], strict=True)
        ]
        return parts if any(part is not None for part in parts) else None
    if not isinstance(got, Tensor) or not isinstance(expected, Tensor):
        return None
    if got.shape != expected.shape or got.dtype != expected.dtype or got.is_complex() or not got.numel():
        return None
    return _of_tensors(got.detach(), expected.detach(), tolerance, room)


def _of_tensors(got: Tensor, expected: Tensor, tolerance: float | None, room: Room) -> dict[str, Any]:
    limit = tolerance_for(expected.dtype, tolerance) if expected.is_floating_point() else 0.0
    mine, wanted = got.double(), expected.double()
    wrong, error = deviation(mine, wanted, limit)
    size = torch.where(wrong, error.nan_to_num(nan=math.inf), -1.0).flatten()
    flat = int(size.argmax())
    at = position(flat, got.shape) if bool(wrong.any()) else None
    shown = window(got.shape, at, room)
    difference = torch.where(wrong, mine - wanted, math.nan)[shown]
    marked = wrong[shown]
    return {
        "wrong": int(wrong.sum()),
        "total": wrong.numel(),
        "tolerance": limit,
        "largest": _number(float(size[flat])) if at is not None else None,
        "at": at,
        "odd": _odd(mine, wanted),
        "where": _where(wrong),
        "shape": list(got.shape),
        "dtype": dtype_name(got.dtype),
        "from": [part.start for part in shown],
        "values": _with_blanks(numbers(difference, room.digits), marked.tolist()),
        "blocks": _blocks(wrong, at) if at and max(got.shape[-2:]) > room.side else None,
    }


def _number(value: float) -> float | str:
    return value if math.isfinite(value) else str(value)


def _with_blanks(values: Any, wrong: Any) -> Any:
    if isinstance(values, list):
        return [_with_blanks(one, mark) for one, mark in zip(values, wrong, strict=True)]
    return values if wrong else None


def _odd(got: Tensor, expected: Tensor) -> dict[str, int]:
    """How many elements are NaN or infinite where the expected one is not, by the word."""
    wanted = torch.isfinite(expected)
    counts = {"NaN": torch.isnan(got) & wanted, "inf": torch.isinf(got) & wanted}
    return {word: int(found.sum()) for word, found in counts.items() if bool(found.any())}


def _where(wrong: Tensor) -> list[dict[str, Any]]:
    """What all wrong elements have in common: an index along an axis, a side of the diagonal. Not for one alone."""
    places = wrong.nonzero()
    if len(places) < 2 or len(places) == wrong.numel():
        return []
    common: list[dict[str, Any]] = [
        {"axis": axis, "index": int(column[0])}
        for axis, (column, size) in enumerate(zip(places.T, wrong.shape, strict=True))
        if size > 1 and bool((column == column[0]).all())
    ]
    if wrong.dim() > 1 and min(wrong.shape[-2:]) > 1:
        rows, columns = wrong.shape[-2:]
        past = places[:, -1] - places[:, -2] - (columns - rows)  # 0 on the diagonal that ends in the last corner
        for side, beyond in (("above", past > 0), ("below", past < 0), ("on", past == 0)):
            if bool(beyond.all()):
                common.append({"diagonal": side})
    return common


def _blocks(wrong: Tensor, at: list[int]) -> dict[str, Any]:
    """Of the matrix that has the worst element."""
    matrix = wrong[tuple(at[:-2])] if wrong.dim() > 1 else wrong[None]
    height, width = (math.ceil(size / MOST_BLOCKS) for size in matrix.shape)
    shares = [
        [round(float(part.double().mean()), 4) for part in torch.split(band, width, dim=1)]
        for band in torch.split(matrix, height, dim=0)
    ]
    return {"rows": height, "columns": width, "values": shares}
