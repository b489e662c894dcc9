"""Drawn inputs are what their names say, at every seed that is tried."""

from __future__ import annotations

import pytest
import torch

from judge import checks
from judge.grading.rng import Rng

SEEDS = range(5)


def test_sizes_are_those_asked_for() -> None:
    q, k, v = checks.draw_qkv(Rng(1, "x"), 2, 3, 4, 5, 6, 7, torch.float64)
    assert (q.shape, k.shape, v.shape) == ((2, 3, 4, 6), (2, 3, 5, 6), (2, 3, 5, 7))
    assert q.dtype is torch.float64


@pytest.mark.parametrize("seed", SEEDS)
def test_every_query_sees_a_key_and_not_all_do_everything(seed: int) -> None:
    mask = checks.draw_mask(Rng(seed, "x"), 4, 16, 3, p=0.1)
    assert bool(mask.any(-1).all())
    assert not bool(mask.all())


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("S", "dtype"), [(1, torch.float32), (2, torch.float64), (7, torch.float32), (41, torch.float32)]
)
def test_large_scores_are_exact_and_far_apart(seed: int, S: int, dtype: torch.dtype) -> None:
    q, k = checks.draw_large_scores(Rng(seed, "x"), 2, 3, 4, S, dtype)
    scores = q @ k.mT / 4
    assert torch.equal(scores.double(), q.double() @ k.double().mT / 4)
    assert float(scores.abs().max()) == 10000
    ordered = scores.sort(-1).values
    assert S == 1 or float(ordered.diff().min()) >= 500
    assert S == 1 or bool((ordered[..., 0] == -10000).all())
