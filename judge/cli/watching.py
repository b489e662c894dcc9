"""Waits for saves of one file. Editors that write a new file and rename it over the old one are seen too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

Stamp = tuple[int, int, int]
POLL_MS = 1000
"""Also looks at the file this often: some file systems send no events."""


def stamp(path: Path) -> Stamp | None:
    """Changes with each save; None while there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def saves(path: Path, last: Stamp | None) -> Iterator[Stamp | None]:
    """Yields after each save since the one that left `last`, and once with None when the file goes away."""
    import watchfiles

    folders = {path.absolute().parent, path.resolve().parent}
    events = watchfiles.watch(
        *folders, watch_filter=None, debounce=50, step=10, rust_timeout=POLL_MS, yield_on_timeout=True, recursive=False
    )
    for _ in events:
        now = stamp(path)
        if now != last:
            last = now
            yield now
