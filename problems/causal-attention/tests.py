"""Cases of `causal_attention(q, k, v)`. Sizes differ from one another so that no two axes can be mixed up."""

import math

import torch

from judge.checks import (
    Trial,
    assert_dtypes,
    assert_global_state,
    assert_jacobian,
    assert_layouts,
    assert_no_influence,
    assert_repeatable,
    assert_same,
    cast,
    shown_stages,
)

HALF = (torch.float16, torch.bfloat16)


def _draw(rng, B, H, T, S, D, Dv, dtype=torch.float32):
    return (
        rng.randn(B, H, T, D, dtype=dtype),
        rng.randn(B, H, S, D, dtype=dtype),
        rng.randn(B, H, S, Dv, dtype=dtype),
    )


def _wave(step, *shape):
    """Numbers between -1 and 1."""
    return torch.sin(step * torch.arange(1, math.prod(shape) + 1, dtype=torch.float64)).reshape(shape)


def inputs(rng, B=2, H=2, T=3, S=4, D=3, Dv=3):
    """One call of these sizes."""
    return Trial("causal_attention", *_draw(rng, B, H, T, S, D, Dv)) if T <= S else None


def stages(q, k, v):
    """What a learner is shown of a failing call."""
    scores = q @ k.mT / math.sqrt(q.size(-1))
    T, S = scores.shape[-2:]
    return shown_stages(scores, torch.ones(T, S, dtype=torch.bool).tril(S - T))


def test_example_equal_scores(solution, reference):
    """Equal scores: each output is the mean of the values so far"""
    q = torch.zeros(1, 1, 3, 2)
    k = torch.tensor([[[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]]])
    v = torch.tensor([[[[2.0, 0.0], [4.0, 0.0], [9.0, 6.0]]]])
    assert_same(solution.causal_attention, reference.causal_attention, (q, k, v))


def test_example_history(solution, reference):
    """Two new queries after two older keys"""
    q = torch.tensor([[[[0.0], [math.log(2.0)]]]])
    k = torch.tensor([[[[0.0], [1.0], [0.0], [1.0]]]])
    v = torch.tensor([[[[6.0], [3.0], [0.0], [12.0]]]])
    assert_same(solution.causal_attention, reference.causal_attention, (q, k, v))


def test_values(solution, reference, rng):
    """Random values, several heads, T = S

    Guards: the scale, the axis of the softmax, the width of v.
    """
    calls = [_draw(rng, 2, 3, 5, 5, 4, 7), _draw(rng, 4, 4, 4, 4, 4, 4), _draw(rng, 3, 2, 6, 6, 1, 5)]
    assert_same(solution.causal_attention, reference.causal_attention, *calls)


def test_history(solution, reference, rng):
    """Fewer queries than keys: T < S

    Guards: the shift of the diagonal, for histories shorter and longer than the new part.
    """
    sizes = [(T, S) for S in range(2, 7) for T in range(1, S)] + [(3, 11), (8, 9), (9, 13)]
    calls = [_draw(rng, 2, 3, T, S, 4, 5) for T, S in sizes]
    assert_same(solution.causal_attention, reference.causal_attention, *calls)


def test_one_query(solution, reference, rng):
    """A single query: every key is visible

    Guards: a mask that needs several rows. With S = 1 the output is v itself.
    """
    calls = [_draw(rng, 3, 2, 1, S, 4, 5) for S in (1, 2, 7)]
    assert_same(solution.causal_attention, reference.causal_attention, *calls)


def test_zero_scores(solution, reference, rng):
    """A score of exactly zero is a score

    Guards: the mask or padding guessed from zeros.
    """
    calls = []
    for T in (4, 6):
        q, k, v = _draw(rng, 2, 2, T, 6, 4, 3)
        q[:, :, 1] = 0.0
        k[:, :, 2] = 0.0
        v[:, :, 3] = 0.0
        calls.append((q, k, v))
    assert_same(solution.causal_attention, reference.causal_attention, *calls)


def test_float64(solution, reference, rng):
    """float64 in, float64 accuracy out

    Guards: a float32 step inside. D = 7 has a root that no float holds exactly.
    """
    calls = [_draw(rng, 2, 2, T, 6, 7, 5, torch.float64) for T in (3, 6)]
    assert_same(solution.causal_attention, reference.causal_attention, *calls)


def test_gradients(solution, reference, rng):
    """Gradients of q, k and v

    Guards: a detached step, an in-place step that autograd refuses.
    """
    calls = [_draw(rng, 2, 3, T, 5, 4, 6, torch.float64) for T in (1, 3, 5)]
    assert_same(
        solution.causal_attention, reference.causal_attention, *calls, _draw(rng, 1, 2, 2, 3, 5, 4), gradients=True
    )


def test_half_precision(solution, reference, rng):
    """float16 and bfloat16 in, the same dtype out

    Guards: constants that do not fit, results of another dtype, the coarser of the two dtypes inside.
    """
    function, right = solution.causal_attention, reference.causal_attention
    assert_dtypes(function, right, *(_draw(rng, 2, 3, T, 6, 8, 5) for T in (3, 6)), dtypes=HALF)
    # always the same numbers: here bfloat16 is off by three times the tolerance, and float16 by a quarter of it
    q, k, v = 4.0 * _wave(1.7, 2, 3, 4, 8), 1.5 * _wave(2.3, 2, 3, 6, 8), 2.0 * _wave(0.9, 2, 3, 6, 5)
    assert_dtypes(function, right, (q, k, v), dtypes=HALF[:1])


def test_sizes(solution, reference, rng):
    """One token, one channel, odd and long sizes

    Guards: squeezed axes, masks of a fixed length, blocks skipped or left without their ragged rest.
    """
    sizes = [(1, 1, 1, 1, 1, 1), (1, 2, 3, 3, 1, 17), (3, 1, 2, 5, 33, 1), (1, 1, 7, 131, 5, 3), (1, 1, 131, 131, 3, 2)]
    calls = [_draw(rng, *size) for size in [*sizes, (1, 1, 70, 201, 4, 3)]]
    assert_same(solution.causal_attention, reference.causal_attention, *calls)


def test_no_leak(solution, reference, rng):
    """A key reaches its own query and later ones, and no other

    Guards: leaks too small for the comparison of values; the Jacobian sees them before rounding does.
    """
    function, right = solution.causal_attention, reference.causal_attention
    call = _draw(rng, 2, 2, 5, 8, 4, 3, torch.float64)  # queries stand at positions 3 to 7
    key, before = (slice(None), slice(None), 6), (slice(None), slice(None), slice(0, 3))
    target, target_zh = "the queries at positions 3, 4 and 5", "位置 3、4、5 的查询"
    for argument, source, source_zh in ((1, "key 6", "第 6 个键"), (2, "value 6", "第 6 个值")):
        words = {"source": source, "target": target, "source_zh": source_zh, "target_zh": target_zh}
        assert_no_influence(function, right, call, argument, key, before, **words)
    assert_jacobian(function, right, _draw(rng, 2, 2, 3, 5, 4, 3), argument=(0, 1, 2))


def test_layouts(solution, reference, rng):
    """Strided, expanded and shared inputs

    Guards: views that need contiguous memory, writing into memory that several axes share.
    """
    assert_layouts(solution.causal_attention, reference.causal_attention, _draw(rng, 2, 3, 5, 5, 4, 4))
    split = [rng.randn(2, T, 3 * D).view(2, T, 3, D).transpose(1, 2) for T, D in ((4, 6), (5, 6), (5, 7))]
    whole = rng.randn(2, 3, 6, 4)
    new = whole[:, :, -2:]
    assert_same(solution.causal_attention, reference.causal_attention, tuple(split), (new, whole, whole))


def test_fresh_data(solution, reference, rng):
    """Other data or another history gives other results, whatever the caller has set

    Guards: a mask or results kept from an earlier call, memory that is never set, a dtype taken from torch's default.
    """
    q, k, v = _draw(rng, 2, 2, 5, 6, 4, 4)
    calls = [(q, k, v), (q[:, :, :2], k, v), (q[:, :, :2], k[:, :, :4], v[:, :, :4])]
    assert_repeatable(solution.causal_attention, reference.causal_attention, *calls)
    assert_global_state(solution.causal_attention, reference.causal_attention, calls[1])


def test_large_scores(solution, reference, rng):
    """Scores of 10000 and -10000, values and gradients

    Guards: exp without the row's own visible maximum, a finite number as minus infinity, a mask after the softmax.
    """
    # Whole numbers and D = 4 keep the scores exact, so that rounding cannot choose between near ties.
    base = (rng.integers(0, 2, 1, 2, 6, 4) * 2 - 1) * rng.integers(1, 3, 1, 2, 6, 4)
    base[:, :, 0] = 2
    base = base.double()
    sign = torch.tensor([1.0, -1.0], dtype=torch.float64)[:, None, None]  # in head 1 a query's own score is far below 0
    q, k, v = 50 * base, 50 * base * sign, rng.randn(1, 2, 6, 3, dtype=torch.float64)
    rising = 50.0 * torch.tensor([-4.0, -3.0, -2.0, 2.0, 3.0, 4.0], dtype=torch.float64)[:, None]
    last = torch.zeros(1, 2, 6, 4, dtype=torch.float64)
    last[..., :1] = rising  # the further in the future, the higher the score
    calls = [(q, k, v), (q[:, :, -3:], k, v), (100.0 + 0 * q, last, v), (100.0 + 0 * q[:, :, -3:], last, v)]
    assert_same(solution.causal_attention, reference.causal_attention, *calls, gradients=True)
    narrow = [cast(call, torch.float32) for call in calls]
    assert_same(solution.causal_attention, reference.causal_attention, *narrow)
