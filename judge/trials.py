"""One call as a problem's `inputs` function draws it, see `judge.smallest`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, init=False)
class Trial:
    """`Trial("attention", q, k, v)`: `solution.attention(q, k, v)`; with `init`, a module built from it first."""

    name: str
    arguments: tuple[Any, ...]
    init: tuple[Any, ...]

    def __init__(self, name: str, *arguments: Any, init: tuple[Any, ...] = ()) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "arguments", arguments)
        object.__setattr__(self, "init", tuple(init))
