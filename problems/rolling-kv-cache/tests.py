"""Cases of `windowed_decode(qs, ks, vs, window)`: what is in the cache, then precision, leaks, memory and work."""

import math

import torch

from judge.checks import (
    Trial,
    assert_dtypes,
    assert_flops,
    assert_global_state,
    assert_jacobian,
    assert_layouts,
    assert_new_storage,
    assert_repeatable,
    assert_same,
    cast,
)

HALF = (torch.float16, torch.bfloat16)


def draw(rng, B, H, T, D, dtype=torch.float32):
    return tuple(rng.randn(B, H, T, D, dtype=dtype) for _ in range(3))


def inputs(rng, B=2, H=2, T=4, D=3, window=4):
    """One call of these sizes."""
    return Trial("windowed_decode", *draw(rng, B, H, T, D), window)


def test_example_equal_scores(solution, reference):
    """Window 2, equal scores: each output is the mean of the last two values"""
    qs = torch.zeros(1, 1, 4, 1)
    ks = torch.tensor([[[[1.0], [2.0], [3.0], [4.0]]]])
    vs = torch.tensor([[[[2.0], [4.0], [8.0], [10.0]]]])
    assert_same(solution.windowed_decode, reference.windowed_decode, (qs, ks, vs, 2))


def test_example_by_hand(solution, reference):
    """Window 2, three tokens, by hand"""
    qs = torch.tensor([[[[0.0], [math.log(3.0)], [math.log(3.0)]]]])
    ks = torch.tensor([[[[1.0], [0.0], [1.0]]]])
    vs = torch.tensor([[[[8.0], [4.0], [12.0]]]])
    assert_same(solution.windowed_decode, reference.windowed_decode, (qs, ks, vs, 2))


def test_values(solution, reference, rng):
    """Random values, several heads, windows 1 to 5

    Guards: scale, axes and the number of entries; B, H, T and D differ, and are equal in the last call.
    """
    call = draw(rng, 2, 3, 7, 4)
    calls = [(*call, window) for window in (1, 2, 3, 4, 5)] + [(*draw(rng, 3, 3, 3, 3), 2)]
    assert_same(solution.windowed_decode, reference.windowed_decode, *calls)


def test_many_turns(solution, reference, rng):
    """The cache is overwritten many times

    Guards: slots chosen wrongly after the first turn, keys and values that fall out of step, a cache that is emptied.
    """
    calls = [(*draw(rng, 1, 2, 20, 3), window) for window in (2, 3, 4, 7)]
    assert_same(solution.windowed_decode, reference.windowed_decode, *calls)


def test_filling_up(solution, reference, rng):
    """The cache is not full yet: only what was written counts

    Guards: empty slots that take part in the softmax, hidden by a finite number or not at all.
    """
    calls = [(*draw(rng, 2, 2, T, 3), window) for T, window in ((3, 4), (5, 8), (1, 3), (4, 4))]
    qs, ks, vs, window = calls[0]
    low = (40.0 * qs.abs(), -40.0 * ks.abs(), vs, window)  # all scores far below the 0 of an empty slot
    assert_same(solution.windowed_decode, reference.windowed_decode, *calls, cast(low, torch.float64))


def test_long_window(solution, reference, rng):
    """A window as long as the sequence or longer: causal attention

    Guards: slices that need window <= T.
    """
    call = draw(rng, 2, 2, 5, 4)
    calls = [(*call, window) for window in (5, 6, 100)]
    assert_same(solution.windowed_decode, reference.windowed_decode, *calls)


def test_zeros(solution, reference, rng):
    """Keys and values of zero are entries like any other

    Guards: slots in use guessed from their content.
    """
    qs, ks, vs = draw(rng, 2, 2, 6, 4)
    qs[:, :, 3], ks[:, :, 1], ks[:, :, 4], vs[:, :, 2] = 0.0, 0.0, 0.0, 0.0
    calls = [(qs, ks, vs, 3), (qs, torch.zeros_like(ks), vs, 2)]
    assert_same(solution.windowed_decode, reference.windowed_decode, *calls)


def test_float64(solution, reference, rng):
    """float64 in, float64 accuracy out

    Guards: a cache, a softmax or a scale in float32. D = 7 has a root that no float holds exactly.
    """
    qs, ks, vs = draw(rng, 1, 2, 6, 7, torch.float64)
    calls = [(qs, ks, vs, 3), (8.0 * qs, ks, vs, 4)]  # wide scores, which show a rounded scale
    assert_same(solution.windowed_decode, reference.windowed_decode, *calls)


def test_gradients(solution, reference, rng):
    """Gradients of qs, ks and vs

    Guards: a cache cut off from autograd, or overwritten in place while backward still needs it.
    """
    calls = [(*draw(rng, 2, 2, 6, 3, torch.float64), window) for window in (1, 2, 3, 8)]
    assert_same(solution.windowed_decode, reference.windowed_decode, *calls, gradients=True)


def test_half_precision(solution, reference, rng):
    """float16 and bfloat16 in, the same dtype out

    Guards: a cache or results of another dtype, constants that do not fit, the coarser of the two dtypes inside.
    """
    function, right = solution.windowed_decode, reference.windowed_decode
    assert_dtypes(function, right, (*draw(rng, 2, 2, 5, 8), 3), dtypes=HALF)
    qs, ks, vs = draw(rng, 2, 2, 24, 8)
    wide = (1.5 * qs, ks, vs, 9)  # wide scores and many of them, which show what bfloat16 loses
    assert_dtypes(function, right, wide, dtypes=HALF[:1])


def test_who_reads_what(solution, reference, rng):
    """Each token reads exactly the entries of its window

    Guards: leaks too small for the comparison of values; the Jacobian sees them before rounding does.
    """
    call = (*draw(rng, 1, 2, 6, 3, torch.float64), 3)
    assert_jacobian(solution.windowed_decode, reference.windowed_decode, call, argument=(0, 1, 2))


def test_sizes(solution, reference, rng):
    """One token, one channel, odd sizes, a longer sequence

    Guards: squeezed axes, buffers of a fixed size.
    """
    sizes = ((1, 1, 1, 1, 1), (1, 1, 3, 1, 2), (3, 1, 2, 5, 1), (1, 5, 4, 2, 3), (1, 1, 70, 3, 33))
    calls = [(*draw(rng, *size), window) for *size, window in sizes]
    assert_same(solution.windowed_decode, reference.windowed_decode, *calls)


def test_layouts(solution, reference, rng):
    """Strided, transposed and expanded inputs

    Guards: views that need contiguous memory, writing into memory that several axes share.
    """
    assert_layouts(solution.windowed_decode, reference.windowed_decode, (*draw(rng, 2, 3, 5, 4), 2))
    split = [rng.randn(2, 5, 3, 4).transpose(1, 2) for _ in range(3)]  # as projections give them
    assert_same(solution.windowed_decode, reference.windowed_decode, (*split, 3))


def test_fresh_data(solution, reference, rng):
    """Other data and other windows give other results, whatever the caller has set

    Guards: a cache kept from an earlier call, memory that is never set, torch's default dtype.
    """
    call = draw(rng, 2, 2, 5, 3)
    assert_repeatable(solution.windowed_decode, reference.windowed_decode, (*call, 2), (*call, 3))
    assert_global_state(solution.windowed_decode, reference.windowed_decode, (*call, 3))


def test_large_scores(solution, reference, rng):
    """Scores of 10000 and -10000, values and gradients

    Guards: exp without the maximum, a filling that is not below every score.
    """
    # Whole numbers and D = 4 keep the scores exact, so that rounding cannot choose between near ties.
    base = (rng.integers(0, 2, 1, 2, 6, 4) * 2 - 1) * rng.integers(1, 3, 1, 2, 6, 4)
    base[:, :, 0] = 2
    base = base.double()
    sign = torch.tensor([1.0, -1.0], dtype=torch.float64)[:, None, None]  # in head 1 a token's own score is far below 0
    qs, ks, vs = 50 * base, 50 * base * sign, rng.randn(1, 2, 6, 4, dtype=torch.float64)
    calls = [(qs, ks, vs, 2), (qs, ks, vs, 4)]
    assert_same(solution.windowed_decode, reference.windowed_decode, *calls, gradients=True)
    low = (50 * base.abs(), -50 * base.abs(), vs, 4)
    narrow = [cast(call, torch.float32) for call in (*calls, low)]
    assert_same(solution.windowed_decode, reference.windowed_decode, *narrow)


T, D, WINDOW = 96, 8, 12
"""Sizes for memory and work: T x window numbers are more than the output has."""


def test_memory(solution, rng):
    """No new tensor is larger than the output or four windows

    Guards: all scores at once, the windows of all tokens side by side.
    """
    call = draw(rng, 1, 1, T, D, torch.float64)
    assert_new_storage(solution.windowed_decode, (*call, WINDOW), at_most=T * D * 8)
    short = draw(rng, 1, 1, 3, D, torch.float64)
    assert_new_storage(solution.windowed_decode, (*short, WINDOW), at_most=4 * WINDOW * D * 8)


def test_work(solution, rng):
    """The work of a token depends on the window, not on the length

    Guards: a cache that grows with the sequence and is masked.
    """
    products = T * 4 * WINDOW * D  # two products of a token with a full window, 2 FLOPs a multiply-add
    assert_flops(solution.windowed_decode, (*draw(rng, 1, 1, T, D), WINDOW), at_most=2.5 * products)
