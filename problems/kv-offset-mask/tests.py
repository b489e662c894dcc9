"""Cases of `kv_offset_mask(T, S)`. Masks are small and exact, so most cases compare many sizes in one frame."""

import itertools

from judge.checks import Trial, assert_global_state, assert_same


def inputs(rng, T=4, S=4):
    """One call of these sizes."""
    return Trial("kv_offset_mask", T, S) if T <= S else None


def test_example_two_new_tokens(solution, reference):
    """Two new tokens after three in the cache"""
    assert_same(solution.kv_offset_mask, reference.kv_offset_mask, (2, 5))


def test_example_prefill(solution, reference):
    """No cache: the ordinary causal mask"""
    assert_same(solution.kv_offset_mask, reference.kv_offset_mask, (3, 3))


def test_decode(solution, reference):
    """One token at a time: everything is visible

    Guards: the shape [1, S] of a single row. With S = 1 there is one query and one key.
    """
    assert_same(solution.kv_offset_mask, reference.kv_offset_mask, *[(1, S) for S in (1, 2, 3, 6, 17)])


def test_small_sizes(solution, reference):
    """Every size up to nine positions

    Guards: the shift of the diagonal, for each T and S: no constant and no function of T or of S alone gives it.
    """
    sizes = [(T, S) for S in range(1, 10) for T in range(1, S + 1)]
    assert_same(solution.kv_offset_mask, reference.kv_offset_mask, *sizes)


def test_chunks(solution, reference):
    """Rows made chunk by chunk are those made at once

    Guards: chunks of unequal length on the way to one full sequence.
    """
    cuts = [0, 5, 6, 13, 16, 24]
    chunks = [(stop - start, stop) for start, stop in itertools.pairwise(cuts)]
    assert_same(solution.kv_offset_mask, reference.kv_offset_mask, *chunks, (24, 24))


def test_long_history(solution, reference, rng):
    """Longer and odd sizes

    Guards: a cache that is cut off, sizes kept in a table, positions kept in eight bits.
    """
    sizes = [(3, 301), (33, 161), (65, 66), (130, 130), (257, 258), (1, 600), (5, 600), (300, 600)]
    drawn = [(T, T + rng.integer(0, 90)) for T in (rng.integer(2, 40), rng.integer(2, 40))]
    assert_same(solution.kv_offset_mask, reference.kv_offset_mask, *sizes, *drawn)


def test_fresh_masks(solution, reference):
    """One call does not disturb another, whatever the caller has set

    Guards: a mask kept from an earlier call with the same T or the same S, a dtype taken from torch's default.
    """
    assert_same(solution.kv_offset_mask, reference.kv_offset_mask, (3, 5), (3, 9), (2, 9), (3, 5), (3, 3), (2, 3))
    assert_global_state(solution.kv_offset_mask, reference.kv_offset_mask, (2, 5))
