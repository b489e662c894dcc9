"""Where lines break, counted in terminal columns: between words, and between any two Chinese characters."""

from __future__ import annotations

import re

from rich.cells import cell_len

PIECE = re.compile(
    r"\s+"
    r"|[（「《【]*[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef][，。；：、！？）」》】…]*"
    r"|[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+[，。；：、！？）」》】…]*"
)
"""Spaces; one Chinese character with the punctuation that may not be parted from it; a word."""


def columns(text: str) -> int:
    """Terminal columns of a text; a Chinese character takes two."""
    return cell_len(text)


def padded(text: str, width: int) -> str:
    """The text filled up to `width` columns."""
    return text + " " * max(0, width - columns(text))


def lines(text: str, width: int, hang: int = 0) -> list[tuple[int, int]]:
    """Start and end of each line of `text` when it is `width` columns wide; all but the first are `hang` narrower.

    A word wider than a line is cut. Spaces at a break belong to no line.
    """
    found: list[tuple[int, int]] = []
    start = end = used = 0
    room = width
    for piece in _pieces(text, max(width - hang, 2)):
        size = columns(text[piece[0] : piece[1]])
        blank = text[piece[0] : piece[1]].isspace()
        if used + size > room and end > start and not blank:
            found.append((start, end))
            start, used, room = piece[0], 0, width - hang
        used += size
        if not blank or (not found and start == 0 and end == 0):
            end = piece[1]
    found.append((start, end))
    return found


def _pieces(text: str, width: int) -> list[tuple[int, int]]:
    pieces = []
    for match in PIECE.finditer(text):
        start, stop = match.span()
        while columns(text[start:stop]) > width and stop - start > 1:
            cut = next(n for n in range(stop - 1, start, -1) if columns(text[start:n]) <= width or n == start + 1)
            pieces.append((start, cut))
            start = cut
        pieces.append((start, stop))
    return pieces


def wrap(text: str, width: int) -> list[str]:
    """The lines of a plain text."""
    return [text[start:end] for start, end in lines(text, width)]
