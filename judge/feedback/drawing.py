"""Inputs for the search of the smallest failing input: small whole numbers instead of normal ones, and the same again.

The numbers that `randn` gave are kept as `choices`. Handed in again, with some made simpler, the problem's `inputs`
builds the same call from simpler numbers, so that whatever it makes of them stays as it must be.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import torch
from torch import Tensor

from judge.grading.rng import Rng

WHOLE = (-2, -1, 0, 1, 2)
SIMPLE = (0, 1)
SPARSE = (0, 0, 0, 1)
"""Zeros, and whole rows of them, are what some mistakes need."""
WIDE = tuple(range(-4, 5))
"""Sums of their products are large enough for what bfloat16 rounds, yet not for what float16 does."""
LARGE = 300.0
"""Squares of whole numbers times this are beyond float16, exponentials of their products beyond float64."""
QUARTERS = 1.25
DECIMAL = 1.1
"""Whole numbers times this are none that float32 holds."""


class SearchRng(Rng):
    """`rng` for `inputs`. Its seeds have nothing to do with those of a judging."""

    def __init__(
        self,
        number: int,
        values: Sequence[int] = WHOLE,
        factor: float = 1.0,
        choices: Sequence[Tensor] | None = None,
        *,
        double: bool = False,
    ) -> None:
        super().__init__(number, "inputs of the search")
        mixed = hashlib.sha256(f"numbers of the search:{number}".encode()).digest()
        self.numbers = torch.Generator().manual_seed(int.from_bytes(mixed[:8], "big") >> 1)
        self.values, self.factor = torch.tensor(values, dtype=torch.float64), factor
        self.given = list(choices or ())
        self.double = double
        """Whether what is asked for in float32 comes in float64, with all its digits."""
        self.choices: list[Tensor] = []

    def randn(self, *shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
        """Numbers from `values`, or the choice that was given for this draw."""
        place = len(self.choices)
        if place < len(self.given) and self.given[place].shape == torch.Size(shape):
            choice = self.given[place]
        else:
            choice = self.values[torch.randint(len(self.values), shape, generator=self.numbers)]
        self.choices.append(choice)
        number = choice * self.factor
        return number if self.double and dtype is torch.float32 else number.to(dtype)
