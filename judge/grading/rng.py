"""Random inputs for tests, drawn from the seed of the judging and the name of the case."""

from __future__ import annotations

import hashlib

import torch
from torch import Tensor


class Rng:
    """The `rng` argument of a test. The same seed and case name give the same numbers on every machine."""

    def __init__(self, seed: int, name: str = "") -> None:
        mixed = hashlib.sha256(f"{seed}:{name}".encode()).digest()
        self.generator = torch.Generator().manual_seed(int.from_bytes(mixed[:8], "big") >> 1)

    def randn(self, *shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
        """Standard normal numbers, drawn in float64 and rounded to `dtype`."""
        return torch.randn(shape, generator=self.generator, dtype=torch.float64).to(dtype)

    def rand(self, *shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
        """Uniform numbers in [0, 1)."""
        return torch.rand(shape, generator=self.generator, dtype=torch.float64).to(dtype)

    def integers(self, low: int, high: int, *shape: int) -> Tensor:
        """int64 numbers with low <= n < high."""
        return torch.randint(low, high, shape, generator=self.generator)

    def integer(self, low: int, high: int) -> int:
        """One number with low <= n < high."""
        return int(torch.randint(low, high, (), generator=self.generator))

    def mask(self, *shape: int, p: float = 0.5) -> Tensor:
        """A bool tensor, each element True with probability `p`."""
        return self.rand(*shape, dtype=torch.float64) < p

    def permutation(self, n: int) -> Tensor:
        """0 ... n - 1 in random order, int64."""
        return torch.randperm(n, generator=self.generator)
