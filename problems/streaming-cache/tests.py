"""Cases of `streaming_keep(seq_len, n_sink, window)`. Results are small and exact: each case compares many sizes."""

import itertools

from judge.checks import Trial, assert_global_state, assert_same


def inputs(rng, seq_len=6, window=4, n_sink=(0, 1, 2, 3, 7)):
    """One call of these sizes."""
    return Trial("streaming_keep", seq_len, n_sink, window)


def test_example_evicted(solution, reference):
    """Ten tokens, of which the first two and the last three stay"""
    assert_same(solution.streaming_keep, reference.streaming_keep, (10, 2, 3))


def test_example_overlap(solution, reference):
    """Both parts overlap: each position occurs once"""
    assert_same(solution.streaming_keep, reference.streaming_keep, (5, 2, 4), (3, 4, 1))


def test_small_sizes(solution, reference):
    """Up to nine tokens, zero to five sinks, windows 1 to 6

    Guards: every way in which both parts can be apart, touch, overlap or hold everything.
    """
    sizes = itertools.product(range(1, 10), range(6), range(1, 7))
    assert_same(solution.streaming_keep, reference.streaming_keep, *sizes)


def test_growing_text(solution, reference):
    """A text that grows token by token

    Guards: a cache that is emptied in steps, positions kept from the step before.
    """
    assert_same(solution.streaming_keep, reference.streaming_keep, *[(seq_len, 3, 7) for seq_len in range(1, 31)])


def test_no_sinks(solution, reference, rng):
    """No sinks: the window alone

    Guards: a slice that ends at 0 or begins at -0.
    """
    calls = [(8, 0, 3), (3, 0, 3), (2, 0, 5), (1, 0, 1), (rng.integer(20, 90), 0, rng.integer(1, 20))]
    assert_same(solution.streaming_keep, reference.streaming_keep, *calls)


def test_short_texts(solution, reference):
    """Texts shorter than the sinks or the window

    Guards: positions that do not exist.
    """
    calls = [(1, 4, 8), (2, 4, 1), (3, 4, 100), (4, 4, 1), (5, 100, 2), (7, 4, 4), (8, 4, 4), (9, 4, 4)]
    assert_same(solution.streaming_keep, reference.streaming_keep, *calls)


def test_long_texts(solution, reference, rng):
    """Long texts

    Guards: positions kept in 8 or 16 bits.
    """
    calls = [(300, 4, 20), (40_000, 4, 60), (70_000, 2, 10), (rng.integer(1000, 60_000), rng.integer(1, 9), 33)]
    assert_same(solution.streaming_keep, reference.streaming_keep, *calls, (100_000, 3, 1))


def test_fresh_data(solution, reference):
    """Other arguments give other results, whatever the caller has set

    Guards: positions kept from an earlier call, torch's default dtype.
    """
    calls = [(12, 2, 4), (12, 3, 4), (12, 2, 5), (13, 2, 4), (12, 2, 4)]
    assert_same(solution.streaming_keep, reference.streaming_keep, *calls)
    assert_global_state(solution.streaming_keep, reference.streaming_keep, (12, 2, 4), (3, 4, 5))
