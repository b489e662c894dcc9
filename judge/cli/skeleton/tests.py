"""Each `test_*` function is a case. The order matters: the first one that fails gives the verdict."""

# Arguments are taken by name: `solution` (the submission), `reference` (reference.py) and `rng` (inputs drawn from the
# judging's seed: randn, rand, integers, integer, mask, permutation). A case should catch a mistake that no other case
# catches; `judge verify` prints which catches which. A case that is there for something else says so in its docstring,
# in a line that begins with "Guards". `judge.checks` holds more checks than are used here.

import torch

from judge.checks import Trial, assert_same


def inputs(rng, T=3, D=3, scale=(2.0, -0.5)):
    """One call of these sizes: from it the judge draws the smallest input that fails."""
    # Numbers are sizes, tried from 1 up to the one given here, which is at most 4; tuples are variants, simplest first.
    # None says that sizes do not fit together. `Trial` has the function's name and its arguments, random ones by randn.
    return Trial("scaled_sum", rng.randn(T, D), scale)


def test_example_by_hand(solution, reference):
    """Two tokens, by hand"""
    # `test_example...` is a sample: the learner sees its inputs, the expected values and what the code printed.
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert_same(solution.scaled_sum, reference.scaled_sum, (x, 0.5))  # [2, 3]


def test_random_values(solution, reference, rng):
    """Random values, one feature and several"""
    calls = [(rng.randn(5, 3), 0.25), (rng.randn(4, 1), -2.0), (rng.randn(1, 6), 1.0)]
    assert_same(solution.scaled_sum, reference.scaled_sum, *calls)


def test_gradient(solution, reference, rng):
    """The gradient of x"""
    calls = [(rng.randn(4, 3, dtype=torch.float64), 0.5)]
    assert_same(solution.scaled_sum, reference.scaled_sum, *calls, gradients=True)
