"""Sliding-window attention: the band of the mask, history, then precision, gradients, leaks and limits."""

import math

import torch

from judge.checks import (
    Trial,
    assert_dtypes,
    assert_global_state,
    assert_layouts,
    assert_no_influence,
    assert_repeatable,
    assert_same,
    cast,
    shown_stages,
)


def draw(rng, B, H, T, S, D, Dv, dtype=torch.float32):
    q = rng.randn(B, H, T, D, dtype=dtype)
    k = rng.randn(B, H, S, D, dtype=dtype)
    v = rng.randn(B, H, S, Dv, dtype=dtype)
    return q, k, v


def inputs(rng, B=2, H=2, T=3, S=4, D=4, Dv=3, window=4):
    """One call of these sizes."""
    return Trial("sliding_window_attention", *draw(rng, B, H, T, S, D, Dv), window) if T <= S else None


def stages(q, k, v, window):
    """What a learner is shown of a failing call."""
    scores = q @ k.mT / math.sqrt(q.size(-1))
    T, S = scores.shape[-2:]
    behind = torch.arange(S - T, S)[:, None] - torch.arange(S)
    return shown_stages(scores, (behind >= 0) & (behind < window))


def test_example_equal_scores(solution, reference):
    """Window 2, equal scores: each output is the mean of the values in its window"""
    q = torch.zeros(1, 1, 4, 2)
    k = torch.tensor([[[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, 0.0]]]])
    v = torch.tensor([[[[2.0, 0.0], [4.0, 0.0], [8.0, 2.0], [10.0, 6.0]]]])
    assert_same(solution.sliding_window_attention, reference.sliding_window_attention, (q, k, v, 2))


def test_example_history(solution, reference):
    """Window 3, two new queries after three older keys"""
    q = torch.tensor([[[[1.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0]]]])
    k = torch.tensor(
        [
            [
                [
                    [3.0, 1.0, 0.0, 0.0],
                    [1.0, 0.0, 0.0, 0.0],
                    [0.0, 1.0, 0.0, 0.0],
                    [2.0, 1.0, 0.0, 0.0],
                    [1.0, 3.0, 0.0, 0.0],
                ]
            ]
        ]
    )
    v = torch.tensor([[[[1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [4.0, 1.0], [5.0, 2.0]]]])
    assert_same(solution.sliding_window_attention, reference.sliding_window_attention, (q, k, v, 3))


def test_random_values(solution, reference, rng):
    """Random values, several heads, windows 1, 2, 3 and 5

    Guards: scale by the model's width, values as wide as keys, a mask remembered from another window.
    """
    q, k, v = draw(rng, 2, 3, 7, 7, 4, 5)
    calls = [(q, k, v, window) for window in (1, 2, 3, 5)]
    assert_same(solution.sliding_window_attention, reference.sliding_window_attention, *calls)


def test_history(solution, reference, rng):
    """Fewer queries than keys: T < S

    Guards: positions counted from 0, one cut of the keys for all queries, windows of 1 or longer than the history.
    """
    calls = []
    for T, S, window in ((3, 8, 2), (3, 8, 5), (4, 6, 3), (1, 6, 3), (5, 7, 6), (3, 7, 1), (1, 5, 1), (1, 5, 9)):
        calls.append((*draw(rng, 2, 2, T, S, 4, 3), window))
    assert_same(solution.sliding_window_attention, reference.sliding_window_attention, *calls)


def test_float64(solution, reference, rng):
    """float64 in, float64 accuracy out

    Guards: softmax in float32, a scale rounded to float32.
    """
    q, k, v = draw(rng, 1, 2, 5, 6, 7, 4, dtype=torch.float64)  # no float holds the root of 7 exactly
    calls = [(q, k, v, 3), (8.0 * q, k, v, 3)]  # wide scores, which show a rounded scale
    assert_same(solution.sliding_window_attention, reference.sliding_window_attention, *calls)


def test_gradients(solution, reference, rng):
    """Gradients of q, k and v

    Guards: detached weights, in-place changes of what backward needs; keys outside all windows get zeros.
    """
    calls = []
    for T, S, window in ((5, 5, 2), (3, 7, 3)):
        calls.append((*draw(rng, 2, 2, T, S, 4, 3, dtype=torch.float64), window))
    assert_same(solution.sliding_window_attention, reference.sliding_window_attention, *calls, gradients=True)


def test_half_precision(solution, reference, rng):
    """float16 and bfloat16 in, the same dtype out

    Guards: a constant too large for float16, results left in float32, the coarser of the two dtypes inside.
    """
    function, right = solution.sliding_window_attention, reference.sliding_window_attention
    assert_dtypes(function, right, (*draw(rng, 2, 2, 4, 6, 8, 4), 3), dtypes=(torch.float16, torch.bfloat16))
    q, k, v = draw(rng, 2, 2, 16, 18, 8, 15)
    wide = (1.5 * q, k, v, 12)  # wide scores and many of them, which show what bfloat16 loses
    assert_dtypes(function, right, wide, dtypes=(torch.float16,))


def test_large_window(solution, reference, rng):
    """A window as long as the sequence or longer equals causal attention

    Guards: slices and unfolds that need window <= S.
    """
    q, k, v = draw(rng, 1, 2, 4, 6, 4, 4)
    calls = [(q, k, v, window) for window in (6, 7, 100)]
    assert_same(solution.sliding_window_attention, reference.sliding_window_attention, *calls)


def test_odd_sizes(solution, reference, rng):
    """One token, one key, odd widths, and 37 queries over 70 keys

    Guards: squeezed dimensions, widths that must be even, tiles skipped too early or left out at the end.
    """
    calls = []
    sizes = ((1, 1, 1, 1, 1, 1, 1), (1, 1, 1, 3, 5, 1, 2), (3, 1, 3, 3, 1, 7, 2), (1, 5, 2, 9, 3, 2, 4))
    for B, H, T, S, D, Dv, window in (*sizes, (1, 1, 37, 70, 4, 3, 19)):
        calls.append((*draw(rng, B, H, T, S, D, Dv), window))
    assert_same(solution.sliding_window_attention, reference.sliding_window_attention, *calls)


def test_no_leak(solution, reference, rng):
    """A key reaches only the queries whose window holds it

    Guards: leaks too small for the comparison of values; the Jacobian sees them before rounding does.
    """
    call = (*draw(rng, 1, 2, 6, 9, 4, 3, dtype=torch.float64), 3)  # queries stand at positions 3 to 8
    far = (slice(None), slice(None), torch.tensor([0, 4, 5]))  # positions 3, 7 and 8; only 4, 5 and 6 see key 4
    words = {"target": "the queries at positions 3, 7 and 8 (window 3)", "target_zh": "位置 3、7、8 的查询（窗口为 3）"}
    for argument, source, source_zh in ((1, "key 4", "第 4 个键"), (2, "value 4", "第 4 个值")):
        at = (slice(None), slice(None), 4)
        function, right = solution.sliding_window_attention, reference.sliding_window_attention
        assert_no_influence(function, right, call, argument, at, far, source=source, source_zh=source_zh, **words)


def test_layouts(solution, reference, rng):
    """Strided, transposed and expanded inputs

    Guards: view on a tensor that is not contiguous.
    """
    q, k, v = draw(rng, 2, 3, 5, 5, 4, 4)
    assert_layouts(solution.sliding_window_attention, reference.sliding_window_attention, (q, k, v, 3))


def test_fresh_data(solution, reference, rng):
    """Other data and other windows give other results, whatever the caller has set

    Guards: a mask kept from another window or another length, memory that is never set, torch's default dtype.
    """
    q, k, v = draw(rng, 1, 2, 4, 6, 4, 3)
    calls = [(q, k, v, 2), (q, k, v, 3), (q[:, :, :2], k, v, 3), (q[:, :, :2], k[:, :, :4], v[:, :, :4], 3)]
    assert_repeatable(solution.sliding_window_attention, reference.sliding_window_attention, *calls)
    assert_global_state(solution.sliding_window_attention, reference.sliding_window_attention, calls[0])


def test_large_scores(solution, reference, rng):
    """Scores of 10000 and -10000, values and gradients

    Guards: exp without the maximum, a mask fill that is not below every score, infinities behind the mask.
    """
    # Whole numbers and D = 4 keep the scores exact, so that rounding cannot choose between near ties.
    base = rng.integers(0, 2, 1, 2, 6, 4) * 2 - 1  # signs
    base = base * rng.integers(1, 3, 1, 2, 6, 4)
    base[:, :, 0] = 2
    base = base.double()
    sign = torch.tensor([1.0, -1.0], dtype=torch.float64)[:, None, None]  # in head 1 a query's own score is far below 0
    q, k, v = 50 * base, 50 * base * sign, rng.randn(1, 2, 6, 3, dtype=torch.float64)
    calls = [(q, k, v, 1), (q, k, v, 3), (q[:, :, -2:], k, v, 4)]
    assert_same(solution.sliding_window_attention, reference.sliding_window_attention, *calls, gradients=True)
    narrow = [cast(call, torch.float32) for call in calls]
    assert_same(solution.sliding_window_attention, reference.sliding_window_attention, *narrow)
