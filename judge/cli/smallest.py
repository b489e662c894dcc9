"""The smallest failing input, whole: what goes in, what should come out, what came, and Python to see it again.

Smallest input that fails: attention(q, k, v, mask)
  q         float32 [1, 1, 1, 1]   0
  k         float32 [1, 1, 3, 1]
      0
      0
  expected  float32 [1, 1, 1, 1]   0.5
  got       float32 [1, 1, 1, 1]  *0
"""

from __future__ import annotations

from typing import Any

from judge.cli.layout import columns, padded
from judge.cli.tensors import Matrix, differs, plain, show_captions
from judge.cli.terminal import Part, Screen
from judge.cli.words import say

MOST_BLOCKS, MOST_ROWS = 8, 16
DIGITS = (4, 7, 10, 17)


def show_smallest(screen: Screen, smallest: dict[str, Any]) -> None:
    """All of it; the caller has a blank line before and after."""
    screen.line((say("smallest"), "bold"), smallest["call"])
    for told in smallest["circumstances"]:
        screen.line((told, "dim"), indent=2)
    of = str(smallest["finding"].get("of") or "result")
    gradient = of if of.startswith("gradient") else ""
    expected, got = say("expected"), say("got")
    names = [*smallest["inputs"], expected, got]
    width = max(map(columns, names))
    digits = _digits(smallest["expected"], smallest["got"])
    for name, value in smallest["inputs"].items():
        _show(screen, padded(name, width), value, None, DIGITS[0])
    _show(screen, padded(expected, width), smallest["expected"], None, digits, gradient)
    if smallest["got"] is not None:
        _show(screen, padded(got, width), smallest["got"], smallest["expected"], digits, gradient)
    show_captions(screen, smallest["contrast"], 2)
    reads = (smallest["inside"] or {}).get("reads")
    if reads and reads["leaks"]:
        screen.line(reads["caption"], indent=2)
    screen.line(smallest["message"], indent=2)
    if smallest["code"]:
        screen.line((say("reproduce"), "dim"), indent=2)
        screen.line(smallest["code"].rstrip("\n"), indent=4)


def _digits(expected: Any, got: Any) -> int:
    """As few as show a difference."""
    return next((n for n in DIGITS if _written(expected, n) != _written(got, n)), DIGITS[0])


def _written(value: Any, digits: int) -> Any:
    if isinstance(value, dict):
        return {key: _written(item, digits) for key, item in value.items()}
    return [_written(item, digits) for item in value] if isinstance(value, list) else plain(value, digits)


def _show(screen: Screen, name: str, value: Any, other: Any, digits: int, note: str = "") -> None:
    """`other`: the expected value; elements that differ from it get a mark."""
    if isinstance(value, list):
        others = other if isinstance(other, list) and len(other) == len(value) else [None] * len(value)
        for number, (item, one) in enumerate(zip(value, others, strict=True)):
            _show(screen, name if not number else " " * columns(name), item, one, digits, note)
        return
    if not isinstance(value, dict):
        wrong = other is not None and value != other
        screen.line((name + "  ", "dim"), _cell(plain(value, digits), wrong), indent=2)
        return
    facts = f"{value['dtype']} {value['shape']}" + (f" {note}" if note else "")
    facts += f" {say('cut')}" if value["cut"] else ""
    compared = other if isinstance(other, dict) and other.get("shape") == value["shape"] else None
    blocks = _blocks(value)[:MOST_BLOCKS]
    before = _blocks(compared)[:MOST_BLOCKS] if compared is not None else []
    lines: list[tuple[str, list[tuple[str, str]]]] = []
    for number, (at, matrix) in enumerate(blocks):
        label = f"{at}  " if len(blocks) > 1 else ""
        for y, row in enumerate(matrix[:MOST_ROWS]):
            against = before[number][1][y] if before else row
            wrong = [compared is not None and differs(cell, one, 0.0) for cell, one in zip(row, against, strict=True)]
            cells = [_cell(plain(cell, digits), bad) for cell, bad in zip(row, wrong, strict=True)]
            lines.append((label if not y else " " * len(label), cells))
    wide = max((len(text) for _, cells in lines for text, _ in cells), default=0) + 2
    rows: list[list[Part]] = [
        [(label, "dim"), *((f"{text:>{wide}}", style) for text, style in cells)] for label, cells in lines
    ]
    if len(rows) == 1:
        screen.line((f"{name}  {facts}", "dim"), *rows[0], indent=2)
        return
    screen.line((f"{name}  {facts}", "dim"), indent=2)
    for row in rows:
        screen.line(*row, indent=4)


def _cell(text: str, wrong: bool) -> tuple[str, str]:
    return ("*" if wrong else "") + text, "bold red" if wrong else ""


def _blocks(value: dict[str, Any]) -> list[tuple[list[int], Matrix]]:
    """The last two dimensions for each index of those before them."""
    found: list[tuple[list[int], Matrix]] = []

    def walk(values: Any, at: list[int], depth: int) -> None:
        if depth > 2:
            for number, item in enumerate(values):
                walk(item, [*at, number], depth - 1)
        elif not isinstance(values, list):
            found.append((at, [[values]]))
        else:
            found.append((at, values if depth == 2 and values and isinstance(values[0], list) else [values]))

    walk(value["values"], [], len(value["shape"]))
    return found
