"""Cases of `prefix_lm_attention(q, k, v, prefix_len)`: both parts of the mask, history, then precision and limits."""

import math

import torch
import torch.nn.functional as F

from judge.checks import (
    Trial,
    assert_dtypes,
    assert_global_state,
    assert_jacobian,
    assert_layouts,
    assert_repeatable,
    assert_same,
    cast,
    draw_qkv,
)

HALF = (torch.float16, torch.bfloat16)


def wave(step, *shape):
    """Numbers between -1 and 1."""
    return torch.sin(step * torch.arange(1, math.prod(shape) + 1, dtype=torch.float64)).reshape(shape)


def inputs(rng, B=2, H=2, T=4, S=4, D=3, Dv=3, prefix_len=4, prefix=(True, False)):
    """One call of these sizes, or without a prefix."""
    if T > S or prefix_len > S:
        return None
    prefix_len = prefix_len if prefix else 0
    return Trial("prefix_lm_attention", *draw_qkv(rng, B, H, T, S, D, Dv), prefix_len)


def test_example_equal_scores(solution, reference):
    """Equal scores, a prefix of two: each output is the mean of the values that its query sees"""
    q = torch.zeros(1, 1, 4, 2)
    k = torch.tensor([[[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, 0.0]]]])
    v = torch.tensor([[[[2.0, 0.0], [4.0, 0.0], [9.0, 6.0], [1.0, 2.0]]]])
    assert_same(solution.prefix_lm_attention, reference.prefix_lm_attention, (q, k, v, 2))


def test_example_history(solution, reference):
    """Three new queries after two older keys, a prefix of four"""
    q = torch.tensor([[[[0.0], [math.log(2.0)], [0.0]]]])
    k = torch.tensor([[[[0.0], [1.0], [0.0], [1.0], [0.0]]]])
    v = torch.tensor([[[[12.0], [0.0], [6.0], [6.0], [1.0]]]])
    assert_same(solution.prefix_lm_attention, reference.prefix_lm_attention, (q, k, v, 4))


def test_values(solution, reference, rng):
    """Random values, several heads, T = S

    Guards: the scale, the axis of the softmax, the width of v.
    """
    sizes = [(2, 3, 5, 5, 4, 7), (4, 4, 4, 4, 4, 4), (3, 2, 6, 6, 1, 5)]
    calls = [(*draw_qkv(rng, *size), prefix_len) for size, prefix_len in zip(sizes, (3, 2, 4), strict=True)]
    assert_same(solution.prefix_lm_attention, reference.prefix_lm_attention, *calls)


def test_every_prefix(solution, reference, rng):
    """Every prefix from none to all of the sequence

    Guards: a prefix one too long or too short, a prefix of 0 taken for none given, a mask kept from another prefix.
    """
    q, k, v = draw_qkv(rng, 2, 2, 6, 6, 4, 3)
    calls = [(q, k, v, prefix_len) for prefix_len in (2, 0, 1, 3, 4, 5, 6)]
    assert_same(solution.prefix_lm_attention, reference.prefix_lm_attention, *calls)


def test_history(solution, reference, rng):
    """Fewer queries than keys: T < S, with prefixes that end in the history, among the queries, or after them

    Guards: positions counted from 0, a prefix counted from the first query, a prefix taken for the history.
    """
    sizes = [(T, S, prefix_len) for T, S in ((2, 5), (3, 5), (4, 7)) for prefix_len in range(S + 1)]
    calls = [(*draw_qkv(rng, 2, 2, T, S, 4, 5), prefix_len) for T, S, prefix_len in [*sizes, (1, 6, 3), (8, 9, 5)]]
    assert_same(solution.prefix_lm_attention, reference.prefix_lm_attention, *calls)


def test_zero_scores(solution, reference, rng):
    """A score of exactly zero is a score

    Guards: the mask guessed from zeros.
    """
    calls = []
    for T in (4, 6):
        q, k, v = draw_qkv(rng, 2, 2, T, 6, 4, 3)
        q[:, :, 1], k[:, :, 2], v[:, :, 3] = 0.0, 0.0, 0.0
        calls.append((q, k, v, 4))
    assert_same(solution.prefix_lm_attention, reference.prefix_lm_attention, *calls)


def test_float64(solution, reference, rng):
    """float64 in, float64 accuracy out

    Guards: a float32 step inside. D = 7 has a root that no float holds exactly.
    """
    calls = []
    for T in (4, 6):
        q, k, v = draw_qkv(rng, 2, 2, T, 6, 7, 5, torch.float64)
        calls.append((8.0 * q, k, v, 3))  # wide scores, which show a rounded scale
    assert_same(solution.prefix_lm_attention, reference.prefix_lm_attention, *calls)


def test_gradients(solution, reference, rng):
    """Gradients of q, k and v

    Guards: a detached step, in-place steps that autograd refuses.
    """
    sizes = ((1, 5, 2), (3, 5, 4), (5, 5, 2), (4, 6, 6))
    calls = [(*draw_qkv(rng, 2, 3, T, S, 4, 6, torch.float64), prefix_len) for T, S, prefix_len in sizes]
    assert_same(solution.prefix_lm_attention, reference.prefix_lm_attention, *calls, gradients=True)


def test_half_precision(solution, reference, rng):
    """float16 and bfloat16 in, the same dtype out

    Guards: constants that do not fit, results of another dtype, the coarser of the two dtypes inside.
    """
    function, right = solution.prefix_lm_attention, reference.prefix_lm_attention
    assert_dtypes(function, right, *((*draw_qkv(rng, 2, 3, T, 6, 8, 5), 3) for T in (3, 6)), dtypes=HALF)
    # always the same numbers: here bfloat16 is off by twice the tolerance, and float16 by a quarter of it
    q, k, v = 4.0 * wave(1.7, 2, 3, 4, 8), 1.5 * wave(2.3, 2, 3, 6, 8), 2.0 * wave(0.9, 2, 3, 6, 5)
    assert_dtypes(function, right, (q, k, v, 4), dtypes=HALF[:1])


def test_sizes(solution, reference, rng):
    """One token, one channel, odd and long sizes

    Guards: squeezed axes, masks of a fixed length.
    """
    sizes = [(1, 1, 1, 1, 1, 1), (1, 2, 3, 3, 1, 17), (3, 1, 2, 5, 33, 1), (1, 5, 1, 7, 3, 2), (1, 1, 37, 150, 4, 3)]
    prefixes = (1, 2, 4, 0, 130)
    calls = [(*draw_qkv(rng, *size), prefix_len) for size, prefix_len in zip(sizes, prefixes, strict=True)]
    assert_same(solution.prefix_lm_attention, reference.prefix_lm_attention, *calls, (*calls[0][:3], 0))


def test_no_leak(solution, reference, rng):
    """Every query reads the prefix and what came before, and nothing else

    Guards: leaks too small for the comparison of values; the Jacobian sees them before rounding does.
    """
    call = (*draw_qkv(rng, 2, 2, 3, 5, 4, 3), 4)
    assert_jacobian(solution.prefix_lm_attention, reference.prefix_lm_attention, call, argument=(0, 1, 2))


def test_layouts(solution, reference, rng):
    """Strided, expanded and shared inputs; they stay as they are

    Guards: views that need contiguous memory, inputs scaled in place.
    """
    assert_layouts(solution.prefix_lm_attention, reference.prefix_lm_attention, (*draw_qkv(rng, 2, 3, 5, 5, 4, 4), 3))
    split = [rng.randn(2, T, 3 * D).view(2, T, 3, D).transpose(1, 2) for T, D in ((4, 6), (5, 6), (5, 7))]
    assert_same(solution.prefix_lm_attention, reference.prefix_lm_attention, (*split, 3))


def test_fresh_data(solution, reference, rng):
    """Other data, another prefix or another history gives other results, whatever the caller has set

    Guards: a mask or results kept from an earlier call, memory that is never set, a dtype taken from torch's default.
    """
    q, k, v = draw_qkv(rng, 2, 2, 5, 6, 4, 4)
    short = (q[:, :, :2], k[:, :, :4], v[:, :, :4], 4)
    calls = [(q, k, v, 4), (q, k, v, 2), (q[:, :, :2], k, v, 6), short]
    assert_repeatable(solution.prefix_lm_attention, reference.prefix_lm_attention, *calls)
    assert_global_state(solution.prefix_lm_attention, reference.prefix_lm_attention, calls[2])


def test_large_scores(solution, reference, rng):
    """Scores of 20000 and -20000, values and gradients

    Guards: exp without the row's own visible maximum, a finite number as minus infinity, a mask after the softmax.
    """
    # Scores lie 5000 apart and are exact, so that rounding cannot choose between near ties.
    levels = 50.0 * torch.tensor([-4.0, -3.0, -2.0, 2.0, 3.0, 4.0], dtype=torch.float64)
    calls = []
    for level in (levels, levels[rng.permutation(6)]):
        key = level.view(1, 1, 6, 1).repeat(1, 2, 1, 1)
        query = torch.tensor([400.0, -400.0], dtype=torch.float64).view(1, 2, 1, 1).repeat(1, 1, 6, 1)
        q, k = (F.pad(x, (0, 15)) for x in (query, key))
        v = rng.randn(1, 2, 6, 3, dtype=torch.float64)
        calls += [(q, k, v, 0), (q, k, v, 2), (q, k, v, 4), (q[:, :, -3:], k, v, 5)]
    assert_same(solution.prefix_lm_attention, reference.prefix_lm_attention, *calls, gradients=True)
    narrow = [cast(call, torch.float32) for call in calls]
    assert_same(solution.prefix_lm_attention, reference.prefix_lm_attention, *narrow)
