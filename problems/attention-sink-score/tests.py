"""Cases of `sink_score(weights)`. The result is one number, so each case compares several calls."""

import torch

from judge.checks import Trial, assert_equal, assert_global_state, assert_same


def causal(rng, H, T, dtype=torch.float32):
    """Random causal weights whose rows sum to one."""
    scores = 2.0 * rng.randn(H, T, T, dtype=torch.float64)
    future = torch.ones(T, T, dtype=torch.bool).triu(1)
    return scores.masked_fill(future, float("-inf")).softmax(-1).to(dtype)


def inputs(rng, H=2, T=4, kind=("rows of one", "rows of one half")):
    """Weights of this size; of float64 ones the mean is the same in any order."""
    weights = causal(rng, H, T, torch.float64)
    return Trial("sink_score", weights if kind == "rows of one" else 0.5 * weights)


def test_example_one_head(solution, reference):
    """One head, four tokens, by hand"""
    weights = torch.tensor(
        [[[1.0, 0.0, 0.0, 0.0], [0.75, 0.25, 0.0, 0.0], [0.5, 0.25, 0.25, 0.0], [0.25, 0.25, 0.0, 0.5]]]
    )
    assert_same(solution.sink_score, reference.sink_score, (weights,))


def test_example_odd_length(solution, reference):
    """Two heads, three tokens: queries 1 and 2 count"""
    first = [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.25, 0.5, 0.25]]
    second = [[1.0, 0.0, 0.0], [0.75, 0.25, 0.0], [0.5, 0.0, 0.5]]
    assert_same(solution.sink_score, reference.sink_score, (torch.tensor([first, second]),))


def test_random_weights(solution, reference, rng):
    """Random causal weights, several heads

    Guards: other queries, other keys, queries and keys swapped, one head for all; H = T in the last call.
    """
    calls = [(causal(rng, H, T),) for H, T in ((3, 8), (2, 6), (5, 10), (6, 6))]
    assert_same(solution.sink_score, reference.sink_score, *calls)


def test_lengths(solution, reference, rng):
    """Every length from 1 to 9

    Guards: the first query that counts, for even and odd lengths.
    """
    assert_same(solution.sink_score, reference.sink_score, *[(causal(rng, 2, T),) for T in range(1, 10)])


def test_uniform_attention(solution, reference):
    """Uniform causal attention

    Guards: scores relative to uniform attention.
    """
    calls = []
    for H, T in ((1, 4), (3, 7), (2, 30)):
        rows = torch.ones(T, T).tril()
        calls.append(((rows / rows.sum(-1, keepdim=True)).expand(H, T, T).contiguous(),))
    assert_same(solution.sink_score, reference.sink_score, *calls)


def test_all_or_nothing(solution, reference):
    """All weight on key 0, or none

    Guards: a division by what the other keys get, zeros that are left out of the mean.
    """
    sink = torch.zeros(2, 5, 5)
    sink[:, :, 0] = 1.0
    own = torch.eye(5).expand(2, 5, 5).contiguous()
    assert_same(solution.sink_score, reference.sink_score, (sink,), (own,), (torch.cat([sink, own]),))


def test_rows_below_one(solution, reference, rng):
    """Rows that do not sum to one, as with learned sinks

    Guards: rows that are divided by their sum first.
    """
    calls = [(causal(rng, 2, T) * rng.rand(2, T, 1),) for T in (5, 8)]
    assert_same(solution.sink_score, reference.sink_score, *calls)


def test_precision(solution, reference, rng):
    """float64 in, float64 accuracy out; float16 and bfloat16

    Guards: weights rounded to float32, results rounded to a few digits, other types of weights, sums kept in half
    precision.
    """
    exact = [(causal(rng, 3, T, torch.float64),) for T in (7, 12)]
    assert_same(solution.sink_score, reference.sink_score, *exact, tolerance=1e-10)
    for dtype, tolerance in ((torch.float16, 5e-3), (torch.bfloat16, 3e-2)):
        many = (0.25 + 0.25 * rng.rand(24, 80, 1)).expand(24, 80, 80).to(dtype)  # a bfloat16 sum of these ends at 128
        calls = [(causal(rng, 3, 8, dtype),), (many,)]
        assert_same(solution.sink_score, reference.sink_score, *calls, tolerance=tolerance)


def test_layouts(solution, reference, rng):
    """Strided, transposed and expanded weights; they stay as they are

    Guards: views that need contiguous memory, weights changed in place.
    """
    weights = causal(rng, 3, 6)
    before = weights.clone()
    turned = weights.mT.contiguous().mT
    wide = torch.stack([weights, 1 - weights], dim=-1).flatten(2)
    calls = [(turned,), (wide[..., ::2],), (causal(rng, 1, 6).expand(3, 6, 6),), (weights[:, :4, :4],), (weights,)]
    assert_same(solution.sink_score, reference.sink_score, *calls)
    assert_equal(weights, before, of="weights")


def test_fresh_data(solution, reference, rng):
    """Other weights give another score, whatever the caller has set

    Guards: a score kept from an earlier call of the same shape.
    """
    first, second = causal(rng, 2, 6), causal(rng, 2, 6)
    assert_same(solution.sink_score, reference.sink_score, (first,), (second,), (first,))
    assert_global_state(solution.sink_score, reference.sink_score, (first,))
