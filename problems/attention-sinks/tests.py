"""Cases of `sink_attention(q, k, v, sinks)`: what the sink takes, history, then precision, gradients and limits."""

import math

import torch

from judge.checks import Trial, assert_dtypes, assert_layouts, assert_same, cast, draw_qkv, shown_stages


def inputs(rng, B=2, H=2, T=2, S=3, D=2, Dv=2):
    """One call of these sizes."""
    if T > S:
        return None
    return Trial("sink_attention", *draw(rng, B, H, T, S, D, Dv))


def draw(rng, B, H, T, S, D, Dv, dtype=torch.float32):
    return *draw_qkv(rng, B, H, T, S, D, Dv, dtype), rng.randn(H, dtype=dtype)


def stages(q, k, v, sinks):
    """What a learner is shown of a failing call."""
    scores = q @ k.mT / math.sqrt(q.size(-1))
    T, S = scores.shape[-2:]
    return shown_stages(scores, torch.ones(T, S, dtype=torch.bool).tril(S - T), sinks)


def test_example_equal_scores(solution, reference):
    """Equal scores and a sink of 0: it counts as one more key without a value"""
    q = torch.zeros(1, 1, 3, 2)
    k = torch.tensor([[[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]]])
    v = torch.tensor([[[[4.0, 2.0], [2.0, 4.0], [6.0, 2.0]]]])
    assert_same(solution.sink_attention, reference.sink_attention, (q, k, v, torch.zeros(1)))


def test_example_two_heads(solution, reference):
    """Two heads with sinks ln 4 and ln 12, one query over three keys"""
    q = torch.tensor([2.0, 0.0, 0.0, 0.0]).repeat(1, 2, 1, 1)
    k = torch.zeros(1, 2, 3, 4)
    k[..., 0, 0] = math.log(2.0)
    v = torch.tensor([[[[8.0], [8.0], [16.0]], [[16.0], [32.0], [48.0]]]])
    sinks = torch.tensor([4.0, 12.0]).log()
    assert_same(solution.sink_attention, reference.sink_attention, (q, k, v, sinks))


def test_random_values(solution, reference, rng):
    """Random values, several heads, other sinks with each call

    Guards: sinks laid along batch, queries or keys where the sizes are equal; sinks kept from an earlier call.
    """
    sizes = [(2, 3, 5, 5, 8, 4), (3, 2, 4, 4, 6, 7), (2, 3, 5, 5, 8, 4), (4, 4, 4, 4, 4, 4), (2, 1, 6, 6, 4, 3)]
    calls = [draw(rng, *size) for size in sizes]
    assert_same(solution.sink_attention, reference.sink_attention, *calls)


def test_history(solution, reference, rng):
    """Fewer queries than keys: T < S

    Guards: a mask whose diagonal starts at the first key, or counts the sink as a key.
    """
    sizes = [(2, 3, 4, 7, 8, 5), (2, 3, 1, 6, 4, 4), (1, 2, 5, 6, 4, 3)]
    assert_same(solution.sink_attention, reference.sink_attention, *(draw(rng, *size) for size in sizes))


def test_zero_scores(solution, reference, rng):
    """Scores of exactly 0 and a sink of exactly 0 count

    Guards: zeros taken for hidden.
    """
    q, k, v, sinks = draw(rng, 2, 3, 4, 4, 6, 5)
    q[:, :, 2] = 0.0
    k[:, :, 1] = 0.0
    sinks[1] = 0.0
    assert_same(solution.sink_attention, reference.sink_attention, (q, k, v, sinks))


def test_float64(solution, reference, rng):
    """float64 in, float64 accuracy out

    Guards: a softmax or sinks in float32.
    """
    calls = [draw(rng, 2, 3, 5, 5, 7, 4, torch.float64), draw(rng, 1, 2, 4, 4, 6, 3, torch.float64)]
    assert_same(solution.sink_attention, reference.sink_attention, *calls)


def test_gradients(solution, reference, rng):
    """Gradients of q, k, v and sinks

    Guards: sinks cut off from autograd, perhaps for a single query only, in-place changes of what backward needs.
    """
    sizes = [(2, 3, 4, 4, 6, 5), (1, 2, 5, 5, 4, 3), (2, 3, 1, 4, 5, 2)]
    calls = [draw(rng, *size, torch.float64) for size in sizes]
    assert_same(solution.sink_attention, reference.sink_attention, *calls, gradients=True)


def test_half_precision(solution, reference, rng):
    """float16 and bfloat16 in, the same dtype out

    Guards: a constant too large for float16, results left in float32.
    """
    halves = (torch.float16, torch.bfloat16)
    assert_dtypes(solution.sink_attention, reference.sink_attention, draw(rng, 2, 3, 5, 5, 8, 4), dtypes=halves)


def test_extreme_sinks(solution, reference, rng):
    """Sinks of 80 take everything, sinks of -80 nothing

    Guards: sinks cut to a range, sinks that are no part of the softmax. The last calls have scores of 100 under 80,
    and scores near the sinks: whoever cuts the sinks at 50 is wrong there alone.
    """
    sinks = torch.tensor([80.0, -80.0, 8.0, -8.0])
    q, k, v, _ = draw(rng, 2, 4, 5, 5, 8, 3)
    wide = cast((q, k, 1e4 * v, sinks), torch.float64)  # large values show the little that such sinks leave
    high = (
        torch.full((1, 2, 3, 4), 5.0),
        torch.full((1, 2, 3, 4), 10.0),
        rng.randn(1, 2, 3, 5),
        torch.full((2,), 80.0),
    )
    near = draw(rng, 2, 4, 4, 5, 4, 3, torch.float64)[:3]
    near[0][..., 0] = 16.0
    near[1][..., 0] = torch.tensor([10.0, -10.0, 1.0, -1.0])[:, None]  # scores of about 80, -80, 8 and -8
    calls = [wide, (q, k, v, sinks), high, (*near, sinks.double())]
    assert_same(solution.sink_attention, reference.sink_attention, *calls, gradients=True)


def test_sizes(solution, reference, rng):
    """One token, one key, odd and longer lengths

    Guards: squeezed axes, history that is cut.
    """
    sizes = [(1, 1, 1, 1, 1, 1), (1, 2, 1, 3, 5, 1), (3, 1, 3, 3, 1, 7), (1, 5, 2, 9, 3, 2), (1, 1, 37, 131, 4, 3)]
    assert_same(solution.sink_attention, reference.sink_attention, *(draw(rng, *size) for size in sizes))


def test_layouts(solution, reference, rng):
    """Strided, transposed and expanded inputs; they stay as they are

    Guards: view on a tensor that is not contiguous, inputs scaled in place.
    """
    assert_layouts(solution.sink_attention, reference.sink_attention, draw(rng, 2, 3, 5, 5, 4, 4))
    split = [rng.randn(2, T, 3, D).transpose(1, 2) for T, D in ((4, 6), (6, 6), (6, 5))]  # as projections give them
    assert_same(solution.sink_attention, reference.sink_attention, (*split, rng.randn(1).expand(3)))


def test_large_scores(solution, reference, rng):
    """Scores of 10000 and -10000, values and gradients

    Guards: exp without the maximum, or with one that leaves out the sink or the scores.
    """
    # Whole numbers and D = 4 keep the scores exact, so that rounding cannot choose between near ties.
    base = (rng.integers(0, 2, 1, 3, 6, 4) * 2 - 1) * rng.integers(1, 3, 1, 3, 6, 4)
    base[:, :, 0] = 2
    base = base.double()
    sign = torch.tensor([1.0, -1.0, -1.0], dtype=torch.float64)[:, None, None]
    q, k, v = 50 * base, 50 * base * sign, rng.randn(1, 3, 6, 5, dtype=torch.float64)
    sinks = torch.tensor([2.0, -3.0, 80.0], dtype=torch.float64)
    same = torch.ones(1, 3, 6, 4, dtype=torch.float64)
    calls = [(q, k, v, sinks), (q[:, :, -2:], k, v, sinks)]
    calls += [(50 * same, -100 * same, v, sinks), (15 * same, 25 * same, v, sinks.clamp(min=80))]  # -10000 and 750
    assert_same(solution.sink_attention, reference.sink_attention, *calls, gradients=True)
    assert_same(solution.sink_attention, reference.sink_attention, *(cast(call, torch.float32) for call in calls))
