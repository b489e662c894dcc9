"""Cases of `alibi_slopes(n_heads)`. The results depend on one number only: each case compares many of them."""

from judge.checks import STATES, Trial, assert_global_state, assert_same


def inputs(rng, n_heads=12):
    """One number of heads."""
    return Trial("alibi_slopes", n_heads)


def test_example_eight_heads(solution, reference):
    """Eight heads: 1/2, 1/4 ... 1/256"""
    assert_same(solution.alibi_slopes, reference.alibi_slopes, (8,))


def test_example_three_heads(solution, reference):
    """Three heads: the slopes of two heads, and one more"""
    assert_same(solution.alibi_slopes, reference.alibi_slopes, (3,))


def test_powers_of_two(solution, reference):
    """Powers of two, from 1 to 64

    Guards: the exponent, its start, and how it depends on the number of heads.
    """
    assert_same(solution.alibi_slopes, reference.alibi_slopes, *[(2**n,) for n in range(7)])


def test_other_head_counts(solution, reference):
    """Numbers that are no power of two, from 3 to 48

    Guards: one geometric sequence for all numbers; the wrong slopes of twice as many heads, or in another order.
    """
    counts = [n for n in range(3, 49) if n & (n - 1)]
    assert_same(solution.alibi_slopes, reference.alibi_slopes, *[(n,) for n in counts])


def test_neighbours_of_powers(solution, reference):
    """One more and one less than a power of two

    Guards: a power of two that is rounded up, or to the nearest.
    """
    counts = [2**n + off for n in range(2, 7) for off in (-1, 0, 1)]
    assert_same(solution.alibi_slopes, reference.alibi_slopes, *[(n,) for n in counts])


def test_large_head_counts(solution, reference, rng):
    """Hundreds of heads

    Guards: slopes multiplied up in low precision, tables of fixed length.
    """
    counts = [100, 128, 192, 200, 256, 511, rng.integer(65, 500)]
    assert_same(solution.alibi_slopes, reference.alibi_slopes, *[(n,) for n in counts])


def test_fresh_data(solution, reference):
    """Another number of heads gives other slopes, whatever the caller has set

    Guards: slopes kept from an earlier call, torch's default dtype, also where the result is made float32 at the end.
    """
    assert_same(solution.alibi_slopes, reference.alibi_slopes, (6,), (12,), (5,), (6,))
    states = (*STATES, "torch.set_default_dtype(torch.float16)")
    assert_global_state(solution.alibi_slopes, reference.alibi_slopes, (6,), (12,), states=states)
