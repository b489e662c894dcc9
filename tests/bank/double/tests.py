from judge.checks import assert_close


def test_example_three_numbers(solution, reference, rng):
    x = rng.randn(3)
    assert_close(solution.double(x), reference.double(x))


def test_matrix(solution, reference, rng):
    x = rng.randn(4, 5)
    assert_close(solution.double(x), reference.double(x))


def test_scalar(solution, reference, rng):
    x = rng.randn()
    assert_close(solution.double(x), reference.double(x))
