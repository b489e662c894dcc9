"""Cases of `softcap_attention(q, k, v, cap)`: the cap, history, then precision, gradients, leaks and limits."""

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


def inputs(rng, B=2, H=2, T=3, S=4, D=3, Dv=3, cap=(2.0, 0.3, 1000.0, 20000.0)):
    """One call of these sizes; under the highest cap large scores need the digits of float64."""
    if T > S:
        return None
    q, k, v = draw_qkv(rng, B, H, T, S, D, Dv)
    if cap > 1000 and q.dtype is not torch.float64:
        q, k = q.clamp(-2.0, 2.0), k.clamp(-2.0, 2.0)
    return Trial("softcap_attention", q, k, v, cap)


def test_example_three_scores(solution, reference):
    """Scores of 0, ln 2 ln 3 and 1000 under a cap of 2 ln 2"""
    q = torch.tensor([[[[0.0], [0.0], [1.0]]]])
    k = torch.tensor([[[[0.0], [math.log(2.0) * math.log(3.0)], [1000.0]]]])
    v = torch.tensor([[[[7.0], [14.0], [0.0]]]])
    assert_same(solution.softcap_attention, reference.softcap_attention, (q, k, v, 2 * math.log(2.0)))


def test_example_history(solution, reference):
    """Two new queries after two older keys, all scores at the cap"""
    q = torch.tensor([[[[1.0], [1.0]]]])
    k = torch.tensor([[[[-1000.0], [1000.0], [2000.0], [1000.0]]]])
    v = torch.tensor([[[[0.0], [9.0], [0.0], [17.0]]]])
    assert_same(solution.softcap_attention, reference.softcap_attention, (q, k, v, math.log(2.0)))


def test_values(solution, reference, rng):
    """Random values, several heads, T = S

    Guards: the scale and its place, the axis of the softmax, the width of v.
    """
    calls = [(*draw_qkv(rng, *size), 2.0) for size in ((2, 3, 5, 5, 4, 7), (4, 4, 4, 4, 4, 4), (3, 2, 6, 6, 7, 5))]
    assert_same(solution.softcap_attention, reference.softcap_attention, *calls)


def test_caps(solution, reference, rng):
    """The same scores under caps from 0.3 to 20000

    Guards: a cap kept from an earlier call, rounded, or used only where a score exceeds it; a tanh whose digits cancel.
    """
    q, k, v = draw_qkv(rng, 2, 2, 5, 5, 4, 3)
    calls = [(2.0 * q, k, v, cap) for cap in (3.5, 0.3, 1.0, 10.0, 20000.0)]
    assert_same(solution.softcap_attention, reference.softcap_attention, *calls)


def test_history(solution, reference, rng):
    """Fewer queries than keys: T < S

    Guards: the shift of the diagonal, keys cut to the newest.
    """
    sizes = [(T, S) for S in range(2, 6) for T in range(1, S)] + [(3, 11), (8, 9)]
    calls = [(*draw_qkv(rng, 2, 3, T, S, 4, 5), 1.5) for T, S in sizes]
    assert_same(solution.softcap_attention, reference.softcap_attention, *calls)


def test_zero_scores(solution, reference, rng):
    """A score of exactly zero is a score

    Guards: the mask guessed from zeros.
    """
    calls = []
    for T in (4, 5):
        q, k, v = draw_qkv(rng, 2, 2, T, 5, 4, 3)
        q[:, :, 1], k[:, :, 2], v[:, :, 3] = 0.0, 0.0, 0.0
        calls.append((q, k, v, 2.0))
    assert_same(solution.softcap_attention, reference.softcap_attention, *calls)


def test_float64(solution, reference, rng):
    """float64 in, float64 accuracy out, also under a cap far above the scores

    Guards: a float32 step inside. No float32 holds the root of 7, or 1.7, exactly.
    """
    calls = []
    for T, cap in ((4, 1.7), (6, 30.1), (6, 1e4)):
        q, k, v = draw_qkv(rng, 2, 2, T, 6, 7, 5, torch.float64)
        calls.append((4.0 * q, k, v, cap))  # wide scores, which show a rounded scale
    assert_same(solution.softcap_attention, reference.softcap_attention, *calls)


def test_gradients(solution, reference, rng):
    """Gradients of q, k and v

    Guards: a detached step, in-place steps that autograd refuses, a gradient that does not know of the cap.
    """
    calls = [(*draw_qkv(rng, 2, 3, T, 5, 4, 6, torch.float64), cap) for T, cap in ((1, 2.0), (3, 1.7), (5, 30.0))]
    assert_same(solution.softcap_attention, reference.softcap_attention, *calls, gradients=True)


def test_half_precision(solution, reference, rng):
    """float16 and bfloat16 in, the same dtype out

    Guards: constants that do not fit, results of another dtype, the coarser of the two dtypes inside.
    """
    function, right = solution.softcap_attention, reference.softcap_attention
    assert_dtypes(function, right, *((*draw_qkv(rng, 2, 3, T, 6, 8, 5), 2.0) for T in (3, 6)), dtypes=HALF)
    # always the same numbers: here bfloat16 is off by twice the tolerance, and float16 by a quarter of it
    q, k, v = 4.0 * wave(1.7, 2, 3, 4, 8), 1.5 * wave(2.3, 2, 3, 6, 8), 2.0 * wave(0.9, 2, 3, 6, 5)
    assert_dtypes(function, right, (q, k, v, 6.0), dtypes=HALF[:1])


def test_sizes(solution, reference, rng):
    """One token, one channel, odd and long sizes

    Guards: squeezed axes, masks of a fixed length.
    """
    sizes = [(1, 1, 1, 1, 1, 1), (1, 2, 3, 3, 1, 17), (3, 1, 2, 5, 33, 1), (1, 5, 1, 7, 3, 2), (1, 1, 37, 150, 4, 3)]
    calls = [(*draw_qkv(rng, *size), 1.5) for size in sizes]
    assert_same(solution.softcap_attention, reference.softcap_attention, *calls)


def test_no_leak(solution, reference, rng):
    """Every query reads its own and older positions

    Guards: leaks too small for the comparison of values; the Jacobian sees them before rounding does.
    """
    call = (*draw_qkv(rng, 2, 2, 2, 4, 4, 3), 3.0)
    assert_jacobian(solution.softcap_attention, reference.softcap_attention, call, argument=(0, 1, 2))


def test_layouts(solution, reference, rng):
    """Strided, expanded and shared inputs; they stay as they are

    Guards: views that need contiguous memory, inputs scaled in place.
    """
    assert_layouts(solution.softcap_attention, reference.softcap_attention, (*draw_qkv(rng, 2, 3, 5, 5, 4, 4), 2.0))
    split = [rng.randn(2, T, 3 * D).view(2, T, 3, D).transpose(1, 2) for T, D in ((4, 6), (5, 6), (5, 7))]
    assert_same(solution.softcap_attention, reference.softcap_attention, (*split, 2.0))


def test_fresh_data(solution, reference, rng):
    """Other data or another history gives other results, whatever the caller has set

    Guards: a mask or results kept from an earlier call, memory that is never set, a dtype taken from torch's default.
    """
    q, k, v = draw_qkv(rng, 2, 2, 5, 6, 4, 4)
    calls = [(q, k, v, 2.0), (q[:, :, :2], k, v, 2.0), (q[:, :, :2], k[:, :, :4], v[:, :, :4], 0.7)]
    assert_repeatable(solution.softcap_attention, reference.softcap_attention, *calls)
    assert_global_state(solution.softcap_attention, reference.softcap_attention, calls[1])


def test_large_scores(solution, reference, rng):
    """Scores of 20000 and -20000 under caps of 50, 500 and 20000, values and gradients

    Guards: tanh from exponentials that overflow, exp without the row's own maximum, a finite number as minus infinity.
    """
    # Scores lie 5000 apart. A cap of 50 or 500 makes them exactly equal, one of 20000 leaves them thousands apart.
    levels = 50.0 * torch.tensor([-4.0, -3.0, -2.0, 2.0, 3.0, 4.0], dtype=torch.float64)
    calls = []
    for level in (levels, levels[rng.permutation(6)]):
        key = level.view(1, 1, 6, 1).repeat(1, 2, 1, 1)
        query = torch.tensor([400.0, -400.0], dtype=torch.float64).view(1, 2, 1, 1).repeat(1, 1, 6, 1)
        q, k = (F.pad(x, (0, 15)) for x in (query, key))
        v = rng.randn(1, 2, 6, 3, dtype=torch.float64)
        calls += [(q, k, v, cap) for cap in (50.0, 500.0, 20000.0)] + [(q[:, :, -3:], k, v, 20000.0)]
    assert_same(solution.softcap_attention, reference.softcap_attention, *calls, gradients=True)
    small = (*draw_qkv(rng, 1, 2, 4, 4, 4, 3, torch.float64), 20000.0)
    assert_same(solution.softcap_attention, reference.softcap_attention, small)
    assert_same(solution.softcap_attention, reference.softcap_attention, *(cast(call, torch.float32) for call in calls))
