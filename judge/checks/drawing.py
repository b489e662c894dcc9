"""Inputs that most problems draw: q, k and v, masks in which every query sees something, scores of 10000."""

from __future__ import annotations

import torch
from torch import Tensor

from judge.grading.rng import Rng

LEVELS = 41
"""Keys that `draw_large_scores` can tell apart."""


def draw_qkv(
    rng: Rng, B: int, H: int, T: int, S: int, D: int, Dv: int, dtype: torch.dtype = torch.float32
) -> tuple[Tensor, Tensor, Tensor]:
    """q: [B, H, T, D], k: [B, H, S, D], v: [B, H, S, Dv]."""
    return (
        rng.randn(B, H, T, D, dtype=dtype),
        rng.randn(B, H, S, D, dtype=dtype),
        rng.randn(B, H, S, Dv, dtype=dtype),
    )


def draw_mask(rng: Rng, *shape: int, p: float = 0.5) -> Tensor:
    """A random bool mask in which every query (all but the last dimension) sees at least one key (True)."""
    seen = rng.integers(0, shape[-1], *shape[:-1], 1)
    return rng.mask(*shape, p=p).scatter(-1, seen, True)


def draw_large_scores(
    rng: Rng, B: int, H: int, T: int, S: int, dtype: torch.dtype = torch.float32
) -> tuple[Tensor, Tensor]:
    """q: [B, H, T, 16], k: [B, H, S, 16], S at most 41: scores from -10000 to 10000, at least 500 from each other.

    All are whole numbers that float32 holds, so rounding cannot choose between near ties: of the keys that a query
    sees one takes all the weight. A query and its negative want opposite keys.
    """
    channel = rng.integer(0, 16)
    levels = torch.stack([_levels(rng, S) for _ in range(B * H)])
    q, k = torch.zeros(B, H, T, 16, dtype=dtype), torch.zeros(B, H, S, 16, dtype=dtype)
    q[..., channel] = 200 * (2 * rng.integers(0, 2, B, H, T) - 1).to(dtype)
    k[..., channel] = (10 * levels - 200).view(B, H, S).to(dtype)
    return q, k


def _levels(rng: Rng, S: int) -> Tensor:
    """S different numbers below LEVELS in random order, the lowest and the highest among them."""
    chosen = torch.cat([torch.tensor([LEVELS - 1, 0]), 1 + rng.permutation(LEVELS - 2)])[:S]
    return chosen[rng.permutation(S)]
