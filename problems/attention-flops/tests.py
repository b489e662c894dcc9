"""Cases of `attention_flops(T, d)` and `crossover(d)`. T and d differ, so that they cannot be mixed up."""

from judge.checks import Trial, assert_same


def inputs(rng, T=4, d=4, unit=(1, 10**9, 10**30)):
    """One call of each function of these sizes."""
    return [Trial("attention_flops", T * unit, d * unit), Trial("crossover", d * unit)]


def test_example_by_hand(solution, reference):
    """Three tokens of width two"""
    assert_same(solution.attention_flops, reference.attention_flops, (3, 2))


def test_example_4096(solution, reference):
    """4096 tokens of width 4096"""
    assert_same(solution.attention_flops, reference.attention_flops, (4096, 4096))


def test_example_crossover(solution, reference):
    """Where both are equal, for a width of 64"""
    assert_same(solution.crossover, reference.crossover, (64,))


def test_small_sizes(solution, reference, rng):
    """Every length and width up to six, and some larger ones

    Guards: which of the two grows with the square of the length; formulas that fit the examples only.
    """
    sizes = [(T, d) for T in range(1, 7) for d in range(1, 7)]
    models = [(1, 768), (2048, 768), (32768, 4096), (1000, 1024), (rng.integer(2, 5000), rng.integer(2, 5000))]
    assert_same(solution.attention_flops, reference.attention_flops, *sizes, *models)


def test_crossover(solution, reference, rng):
    """The length at which both are equal, for odd and even widths

    Guards: lengths one off, multiples that need an even width.
    """
    widths = [1, 2, 3, 5, 7, 8, 127, 768, 1000, 4096, rng.integer(10, 9000)]
    assert_same(solution.crossover, reference.crossover, *[(d,) for d in widths])


def test_exact(solution, reference, rng):
    """Exact beyond what a float holds

    Guards: counts rounded on the way; numbers of 54 to 63 bits, odd factors.
    """
    sizes = [(T | 1, d | 1) for T, d in ((rng.integer(10**6, 10**7), rng.integer(10**5, 10**6)) for _ in range(5))]
    sizes += [(10**5 + 1, 10**6 - 1), (999_983, 104_729)]
    assert_same(solution.attention_flops, reference.attention_flops, *sizes)


def test_large(solution, reference, rng):
    """Exact beyond 64 bits

    Guards: 64-bit integers that wrap around; first arguments that still fit in them, then arguments that do not.
    """
    fitting = [(10**9 + 7, 10**9 + 9), (10**12 + 39, 123_457), (3, 10**15 + 37), (2**40, 2**31), (10**15 + 37, 3)]
    assert_same(solution.attention_flops, reference.attention_flops, *fitting)
    assert_same(solution.attention_flops, reference.attention_flops, (10**30 + 57, 10**25 + 13), (7, 10**40 + 1))


def test_crossover_of_large_widths(solution, reference):
    """Very large widths

    Guards: lengths tried one by one, 64-bit integers, floats.
    """
    assert_same(solution.crossover, reference.crossover, (10**9 + 7,), (2**53 + 1,), (2**62 + 1,), (10**30 + 57,))
