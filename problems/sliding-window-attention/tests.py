"""Sliding-window attention: the band of the mask, history, then precision, gradients, leaks and limits."""

import torch

from judge.checks import assert_independent, assert_layouts, assert_no_gradient, assert_same, cast


def draw(rng, B, H, T, S, D, Dv, dtype=torch.float32):
    q = rng.randn(B, H, T, D, dtype=dtype)
    k = rng.randn(B, H, S, D, dtype=dtype)
    v = rng.randn(B, H, S, Dv, dtype=dtype)
    return q, k, v


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

    Guards: positions counted from 0, one cut of the keys for all queries, windows longer than the history.
    """
    calls = []
    for T, S, window in ((3, 8, 2), (3, 8, 5), (4, 6, 3), (1, 6, 3), (5, 7, 6)):
        calls.append((*draw(rng, 2, 2, T, S, 4, 3), window))
    assert_same(solution.sliding_window_attention, reference.sliding_window_attention, *calls)


def test_float64(solution, reference, rng):
    """float64 in, float64 accuracy out

    Guards: softmax in float32, a scale rounded to float32.
    """
    q, k, v = draw(rng, 1, 2, 5, 6, 8, 4, dtype=torch.float64)
    assert_same(solution.sliding_window_attention, reference.sliding_window_attention, (q, k, v, 3))


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

    Guards: a constant too large for float16, results left in float32.
    """
    inputs = draw(rng, 2, 2, 4, 6, 8, 4)
    calls = [(*cast(inputs, dtype), 3) for dtype in (torch.float16, torch.bfloat16)]
    assert_same(solution.sliding_window_attention, reference.sliding_window_attention, *calls)


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


def test_no_leak(solution, rng):
    """A key reaches only the queries whose window holds it

    Guards: leaks too small for the comparison of values; the Jacobian sees them before rounding does.
    """
    q, k, v = draw(rng, 1, 2, 6, 9, 4, 3, dtype=torch.float64)  # queries stand at positions 3 to 8
    far = (slice(None), slice(None), torch.tensor([0, 4, 5]))  # positions 3, 7 and 8; only 4, 5 and 6 see key 4
    moved_k, moved_v = k.clone(), v.clone()
    moved_k[:, :, 4] = 2 - k[:, :, 4]
    moved_v[:, :, 4] += 1000
    words = {
        "source": "key 4",
        "target": "the queries at positions 3, 7 and 8 (window 3)",
        "source_zh": "第 4 个键",
        "target_zh": "位置 3、7、8 的查询（窗口为 3）",
    }
    function = solution.sliding_window_attention
    assert_independent(function, (q, k, v, 3), (q, moved_k, moved_v, 3), far, **words)
    assert_no_gradient(function, (q, k, v, 3), far, 1, (slice(None), slice(None), 4), **words)


def test_layouts(solution, reference, rng):
    """Strided, transposed and expanded inputs

    Guards: view on a tensor that is not contiguous.
    """
    q, k, v = draw(rng, 2, 3, 5, 5, 4, 4)
    assert_layouts(solution.sliding_window_attention, reference.sliding_window_attention, (q, k, v, 3))


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
