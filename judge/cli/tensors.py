"""The tensors of a failed sample: inputs, expected, got. Small, and with a `*` at each element that is wrong.

input 1: float32 [2, 2]
  1  2
  3  4
got: float32 [2]
  *4  6
"""

from __future__ import annotations

from typing import Any

from judge.cli.terminal import Part, Screen
from judge.cli.words import say

MOST_ROWS, MOST_COLUMNS = 8, 10
LEAST_ERROR = 1e-6
Matrix = list[list[Any]]


def show_tensors(screen: Screen, pictures: list[dict[str, Any]], finding: dict[str, Any], indent: int) -> None:
    """The first comparison that differs; the last one where the numbers show no difference."""
    picture = next((one for one in pictures if one["got"] != one["expected"]), pictures[-1])
    show_captions(screen, picture.get("contrast"), indent)
    place = {"index": finding.get("index")}  # the same part of the batch as below
    for name, value in zip(picture["names"], picture["inputs"], strict=True):
        _show(screen, name, value, indent, place if _same_batch(value, picture["got"]) else None)
    _show(screen, say("expected"), picture["expected"], indent, finding, picture["got"])
    _show(screen, say("got"), picture["got"], indent, finding, picture["expected"], mark=True)


def show_captions(screen: Screen, contrast: Any, indent: int) -> None:
    """The sentences of what differs, one for each tensor of a result."""
    for one in contrast if isinstance(contrast, list) else [contrast]:
        if isinstance(one, list):
            show_captions(screen, one, indent)
        elif one and one["wrong"]:
            screen.line(one["caption"], indent=indent)


def _same_batch(value: Any, other: Any) -> bool:
    both = isinstance(value, dict) and isinstance(other, dict)
    return both and value["shape"][:-2] == other["shape"][:-2]


def _show(
    screen: Screen,
    name: str,
    value: Any,
    indent: int,
    finding: dict[str, Any] | None = None,
    other: Any = None,
    mark: bool = False,
) -> None:
    """`other` is what the value is compared with: its numbers stand in the same columns."""
    finding = finding or {}
    if isinstance(value, list):
        others = other if isinstance(other, list) and len(other) == len(value) else [None] * len(value)
        for number, (item, one) in enumerate(zip(value, others, strict=True)):
            _show(screen, f"{name}[{number}]", item, indent, finding, one, mark)
        return
    if not isinstance(value, dict):
        screen.line((say("named", name=name), "dim"), plain(value), indent=indent)
        return
    lead, matrix = _matrix(value, finding.get("index") or [])
    facts = f"{value['dtype']} {value['shape']}"
    if lead:
        facts += " " + say("slice", index=lead)
    if value["cut"] or len(matrix) > MOST_ROWS or any(len(row) > MOST_COLUMNS for row in matrix):
        facts += " " + say("cut")
    screen.line((say("named", name=name), "dim"), facts, indent=indent)
    same_shape = isinstance(other, dict) and other["shape"] == value["shape"]
    compared = _matrix(other, finding.get("index") or [])[1] if same_shape else None
    for line in _rows(matrix, compared, finding.get("tolerance") or 0.0, mark):
        screen.line(*line, indent=indent + 2)


def _matrix(value: dict[str, Any], at: list[int]) -> tuple[list[int], Matrix]:
    """The last two dimensions at the leading index `at` (where it was kept), and that index."""
    values = value["values"]
    lead: list[int] = []
    for depth in range(len(value["shape"]) - 2):
        position = at[depth] if depth < len(at) and at[depth] < len(values) else 0
        if not values:
            return lead, []
        lead.append(position)
        values = values[position]
    if not isinstance(values, list):
        return lead, [[values]]
    return lead, values if values and isinstance(values[0], list) else [values]


def _rows(matrix: Matrix, compared: Matrix | None, limit: float, mark: bool) -> list[list[Part]]:
    width = max((len(plain(cell)) for row in _window(matrix) + _window(compared or []) for cell in row), default=0) + 2
    rows: list[list[Part]] = []
    for y, row in enumerate(_window(matrix)):
        wrong = [mark and compared is not None and differs(cell, compared[y][x], limit) for x, cell in enumerate(row)]
        texts = [("*" if bad else "") + plain(cell) for cell, bad in zip(row, wrong, strict=True)]
        rows.append([(f"{text:>{width}}", "bold red" if bad else "") for text, bad in zip(texts, wrong, strict=True)])
    return rows


def _window(matrix: Matrix) -> Matrix:
    return [row[:MOST_COLUMNS] for row in matrix[:MOST_ROWS]]


def differs(got: Any, expected: Any, limit: float) -> bool:
    if isinstance(got, (str, list)) or isinstance(expected, (str, list)):
        return bool(got != expected)
    return bool(abs(got - expected) > max(limit, LEAST_ERROR) * (1 + abs(expected)))


def plain(value: Any, digits: int = 4) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, list):
        return ",".join(plain(item, digits) for item in value)
    return f"{value:.{digits}g}" if isinstance(value, float) else str(value)
