"""Cases of `varlen_attention(q, k, v, cu_seqlens)`. Total, H and D differ, so that no axes can be mixed up."""

import itertools
import math

import torch

from judge.checks import (
    Trial,
    assert_dtypes,
    assert_equal,
    assert_global_state,
    assert_jacobian,
    assert_layouts,
    assert_repeatable,
    assert_same,
    cast,
)

HALF = (torch.float16, torch.bfloat16)


def starts(*lengths):
    """cu_seqlens of sequences of these lengths."""
    return torch.tensor([0, *itertools.accumulate(lengths)], dtype=torch.int32)


def draw(rng, H, D, *lengths, dtype=torch.float32):
    q, k, v = (rng.randn(sum(lengths), H, D, dtype=dtype) for _ in range(3))
    return q, k, v, starts(*lengths)


def inputs(
    rng, first=2, second=3, H=2, D=2, kind=("two", "one", "three", "empty first", "empty between", "empty last")
):
    """Sequences of these lengths."""
    lengths = {"two": (first, second), "one": (first,), "three": (first, second, 2), "empty first": (0, first, second)}
    lengths |= {"empty between": (first, 0, second), "empty last": (first, second, 0)}
    return Trial("varlen_attention", *draw(rng, H, D, *lengths[kind]))


def test_example_two_sequences(solution, reference):
    """Sequences of three and two tokens, equal scores"""
    zeros = torch.zeros(5, 1, 1)
    v = torch.tensor([6.0, 2.0, 1.0, 9.0, 5.0]).view(5, 1, 1)
    assert_same(solution.varlen_attention, reference.varlen_attention, (zeros, zeros, v, starts(3, 2)))


def test_example_empty_sequence(solution, reference):
    """Three sequences, the second one is empty"""
    q = torch.tensor([math.log(2.0), math.log(3.0), math.log(3.0)]).view(3, 1, 1)
    k = torch.tensor([9.0, 0.0, 1.0]).view(3, 1, 1)
    v = torch.tensor([7.0, 4.0, 8.0]).view(3, 1, 1)
    assert_same(solution.varlen_attention, reference.varlen_attention, (q, k, v, starts(1, 0, 2)))


def test_values(solution, reference, rng):
    """Random values, several heads, sequences of different lengths

    Guards: scale, axes, and what a sequence sees; total = H = D in the last call.
    """
    calls = [draw(rng, 3, 4, 5, 2, 1, 6), draw(rng, 2, 5, 3, 4), draw(rng, 4, 2, 2, 7, 3), draw(rng, 5, 5, 2, 3)]
    assert_same(solution.varlen_attention, reference.varlen_attention, *calls)


def test_all_lengths(solution, reference, rng):
    """Six tokens cut in every way

    Guards: borders one off, equal lengths taken for granted.
    """
    q, k, v, _ = draw(rng, 2, 3, 6)
    cuts = [c for n in range(6) for c in itertools.combinations(range(1, 6), n)]
    calls = [(q, k, v, torch.tensor([0, *cut, 6], dtype=torch.int32)) for cut in cuts]
    assert_same(solution.varlen_attention, reference.varlen_attention, *calls)


def test_one_sequence(solution, reference, rng):
    """One sequence: causal attention

    Guards: code that needs a border between two sequences.
    """
    calls = [draw(rng, 2, 4, 7), draw(rng, 3, 4, 1), draw(rng, 1, 3, 2)]
    assert_same(solution.varlen_attention, reference.varlen_attention, *calls)


def test_empty_sequences(solution, reference, rng):
    """Empty sequences at the start, in the middle, at the end, several in a row

    Guards: a loop that ends at an empty sequence, maxima over nothing, borders that occur twice.
    """
    lengths = [(0, 3, 4), (3, 0, 4), (3, 4, 0), (0, 0, 5, 0, 0, 0, 2, 0), (0, 4), (4, 0), (0, 1, 0)]
    assert_same(solution.varlen_attention, reference.varlen_attention, *[draw(rng, 2, 3, *each) for each in lengths])


def test_zeros(solution, reference, rng):
    """Scores and keys of zero are like any other

    Guards: padding or hidden keys guessed from zeros.
    """
    q, k, v, cu = draw(rng, 2, 4, 4, 3)
    q[2], k[1], k[4], v[5] = 0.0, 0.0, 0.0, 0.0
    assert_same(solution.varlen_attention, reference.varlen_attention, (q, k, v, cu), (q, torch.zeros_like(k), v, cu))


def test_float64(solution, reference, rng):
    """float64 in, float64 accuracy out

    Guards: a softmax or a scale in float32. D = 7 has a root that no float holds exactly.
    """
    q, k, v, cu = draw(rng, 2, 7, 4, 5, dtype=torch.float64)
    calls = [(q, k, v, cu), (8.0 * q, k, v, cu)]  # wide scores, which show a rounded scale
    assert_same(solution.varlen_attention, reference.varlen_attention, *calls)


def test_gradients(solution, reference, rng):
    """Gradients of q, k and v

    Guards: detached steps, results written where autograd does not follow.
    """
    calls = [draw(rng, 2, 3, *lengths, dtype=torch.float64) for lengths in ((4, 3), (2, 0, 5), (6,), (1, 1, 2))]
    assert_same(solution.varlen_attention, reference.varlen_attention, *calls, gradients=True)


def test_half_precision(solution, reference, rng):
    """float16 and bfloat16 in, the same dtype out

    Guards: results in another dtype, constants that do not fit, the coarser of the two dtypes inside.
    """
    function, right = solution.varlen_attention, reference.varlen_attention
    assert_dtypes(function, right, draw(rng, 2, 8, 3, 4), dtypes=HALF)
    q, k, v, cu = draw(rng, 3, 15, 14, 16)
    wide = (1.5 * q, k, v, cu)  # wide scores and many of them, which show what bfloat16 loses
    assert_dtypes(function, right, wide, dtypes=HALF[:1])


def test_who_reads_what(solution, reference, rng):
    """Each token reads the tokens of its sequence up to itself, all of them and no others

    Guards: leaks too small for the comparison of values; the Jacobian sees them before rounding does.
    """
    call = draw(rng, 2, 3, 3, 0, 1, 3, dtype=torch.float64)
    assert_jacobian(solution.varlen_attention, reference.varlen_attention, call, argument=(0, 1, 2))


def test_sizes(solution, reference, rng):
    """One token, one channel, one head, a long sequence, many sequences

    Guards: squeezed axes, sequences cut at a fixed length, sequences counted in eight bits.
    """
    calls = [draw(rng, 1, 1, 1), draw(rng, 1, 3, 2, 3), draw(rng, 5, 1, 3, 1), draw(rng, 1, 4, 1, 130, 2)]
    assert_same(solution.varlen_attention, reference.varlen_attention, *calls, draw(rng, 1, 2, *[1] * 258))


def test_layouts(solution, reference, rng):
    """Strided, transposed and expanded inputs; cu_seqlens stays as it is

    Guards: views that need contiguous memory, inputs changed in place.
    """
    call = draw(rng, 3, 4, 3, 2)
    assert_layouts(solution.varlen_attention, reference.varlen_attention, call)
    *_, cu = call
    before = cu.clone()
    q, k, v = rng.randn(5, 3, 3, 4).unbind(1)  # as they come from one projection
    heads_first = [x.transpose(0, 1).contiguous().transpose(0, 1) for x in (q, k, v)]
    calls = [(q, k, v, cu), (*heads_first, cu), (q, k, v, torch.tensor([0, 9, 3, 9, 5], dtype=torch.int32)[::2])]
    assert_same(solution.varlen_attention, reference.varlen_attention, *calls)
    assert_equal(cu, before, of="cu_seqlens")


def test_fresh_data(solution, reference, rng):
    """Other data and other borders give other results, whatever the caller has set

    Guards: a mask kept from other borders of the same total, torch's default dtype.
    """
    q, k, v, _ = draw(rng, 2, 3, 6)
    calls = [(q, k, v, starts(2, 4)), (q, k, v, starts(4, 2)), (q, k, v, starts(6))]
    assert_repeatable(solution.varlen_attention, reference.varlen_attention, *calls)
    assert_global_state(solution.varlen_attention, reference.varlen_attention, calls[0])


def test_large_scores(solution, reference, rng):
    """Scores of 10000 and -10000, values and gradients

    Guards: exp without the row's own maximum, a mask fill that is not below every score, clamped scores.
    """
    # Whole numbers and D = 4 keep the scores exact, so that rounding cannot choose between near ties.
    base = (rng.integers(0, 2, 7, 2, 4) * 2 - 1) * rng.integers(1, 3, 7, 2, 4)
    base[0] = 2
    base[4] = 2
    base = base.double()
    sign = torch.tensor([1.0, -1.0], dtype=torch.float64)[:, None]  # in head 1 a token's own score is far below 0
    v = rng.randn(7, 2, 4, dtype=torch.float64)
    calls = [(50 * base, 50 * base * sign, v, starts(4, 3)), (50 * base, 50 * base * sign, v, starts(2, 0, 5))]
    assert_same(solution.varlen_attention, reference.varlen_attention, *calls, gradients=True)
    low = (50 * base.abs(), -50 * base.abs(), v, starts(3, 4))  # all scores far below 0
    narrow = [cast(call, torch.float32) for call in (*calls, low)]
    assert_same(solution.varlen_attention, reference.varlen_attention, *narrow)
