"""One call as a problem's `inputs` function draws it, see `judge.feedback.smallest`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, init=False)
class Trial:
    """`Trial("attention", q, k, v)`: `solution.attention(q, k, v)`; with `init`, a module built from it first.

    `gradients=False` where the statement leaves them open, as for a query that sees no key.
    """

    name: str
    arguments: tuple[Any, ...]
    init: tuple[Any, ...]
    gradients: bool

    def __init__(self, name: str, *arguments: Any, init: tuple[Any, ...] = (), gradients: bool = True) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "arguments", arguments)
        object.__setattr__(self, "init", tuple(init))
        object.__setattr__(self, "gradients", gradients)
