"""One comparison as a learner sees it: inputs, expected, got, and where the two differ."""

from __future__ import annotations

from typing import Any

from judge.compare import Comparison
from judge.grading.contrast import contrast
from judge.grading.pictures import Room, shown


def picture(comparison: Comparison, call: str | None = None) -> dict[str, Any]:
    """As JSON; tensors as `{"shape", "dtype", "cut", "values"}`, with `from` where the window begins later.

    `call` is the function that was asked, where the inputs alone make it a call again.
    """
    room = Room()
    return {
        "of": comparison.of,
        "call": call,
        "names": list(comparison.inputs),
        "inputs": [shown(value, room) for value in comparison.inputs.values()],
        **results(comparison.expected, comparison.got, comparison.tolerance, room),
    }


def results(expected: Any, got: Any, tolerance: float | None, room: Room) -> dict[str, Any]:
    """The same window of `expected` and `got`, and their `contrast` (None where they cannot be subtracted)."""
    found = contrast(got, expected, tolerance, room)
    return {"expected": _seen(expected, found, room), "got": _seen(got, found, room), "contrast": found}


def _seen(value: Any, found: Any, room: Room) -> Any:
    if isinstance(found, list):
        return [_seen(part, one, room) for part, one in zip(value, found, strict=False)]
    return shown(value, room, found["at"] if found else None)
