"""Cases of `softmax(x, dim=-1)`. All axes of a tensor differ in size, so that none can be taken for another."""

import math

import torch

from judge.checks import (
    Trial,
    assert_dtypes,
    assert_global_state,
    assert_layouts,
    assert_not_used,
    assert_repeatable,
    assert_same,
    cast,
)

HALF = (torch.float16, torch.bfloat16)
INF = math.inf


def _holes(rng, x, dim=-1):
    """`x` with -inf in about half of its places, but in no slice along `dim` everywhere."""
    hidden = rng.mask(*x.shape)
    seen = rng.integers(0, x.shape[dim], *x.unsqueeze(dim).select(dim, 0).shape)
    return x.masked_fill(hidden.scatter(dim, seen, False), -INF)


KINDS = ("rows", "columns", "some -inf", "an empty row", "an empty column", "three axes", "four axes", "near 50",
         "near 10000", "near -10000")  # fmt: skip


def inputs(rng, K=2, M=3, N=4, kind=KINDS):
    """One call of these sizes: a matrix of M rows, or more axes."""
    if kind == "three axes":
        return Trial("softmax", rng.randn(K, M, N), 1)
    if kind == "four axes":
        return Trial("softmax", rng.randn(1, K, M, N), -3)
    x = rng.randn(M, N)
    if kind in ("rows", "columns"):
        return Trial("softmax", x) if kind == "rows" else Trial("softmax", x, 0)
    if kind == "an empty column":
        x[:, 0] = -INF
        return Trial("softmax", x, 0, gradients=False)
    if kind.startswith("near"):
        x += float(kind.split()[1])
    if kind in ("some -inf", "near -10000"):
        x = _holes(rng, x)
    if kind == "an empty row":
        x[0] = -INF
    return Trial("softmax", x, -1, gradients=kind != "an empty row")


def test_example_rows(solution, reference):
    """Two rows, by hand"""
    x = torch.tensor([[0.0, math.log(2.0), math.log(5.0)], [7.0, 7.0, 7.0]])
    assert_same(solution.softmax, reference.softmax, (x,))


def test_example_columns(solution, reference):
    """dim = 0: each column sums to one"""
    x = torch.tensor([[0.0, 1.0, 2.0], [math.log(3.0), 1.0, 2.0]])
    assert_same(solution.softmax, reference.softmax, (x, 0))


def test_example_minus_infinity(solution, reference):
    """Entries without weight, and a row with nothing else"""
    x = torch.tensor([[0.0, -INF, math.log(3.0)], [-INF, -INF, -INF]])
    assert_same(solution.softmax, reference.softmax, (x, 1))


def test_values(solution, reference, rng):
    """Four axes, each of them, counted from both ends

    Guards: the axis of the maximum, of the sum and of the result.
    """
    x = 2.0 * rng.randn(2, 3, 4, 5)
    square = rng.randn(3, 3, 3)
    calls = [(x,), *((x, dim) for dim in range(-4, 4)), (square,), *((square, dim) for dim in range(-3, 3))]
    assert_same(solution.softmax, reference.softmax, *calls)


def test_zeros(solution, reference, rng):
    """A number that is exactly zero counts

    Guards: zeros taken for padding; one number far above the others; slices all of one sign.
    """
    x = rng.randn(3, 5)
    x[:, 1], x[1] = 0.0, 0.0
    alone = torch.tensor([[40.0, 0.0, -40.0], [0.0, -90.0, -91.0]])
    signs = rng.rand(4, 5) + 0.1
    assert_same(
        solution.softmax, reference.softmax, (x,), (x, 0), (alone,), (alone, 0), (signs,), (-signs,), (-signs, 0)
    )


def test_sizes(solution, reference, rng):
    """One axis, axes of size 1, long and odd sizes

    Guards: squeezed axes, a fixed number of axes, entries left out after a round number of them.
    """
    shapes = [(1,), (7,), (1, 1), (1, 5), (5, 1), (1, 3, 1), (2, 1, 3, 1, 2), (2, 3, 2, 1, 3, 2)]
    calls = [(rng.randn(*shape), dim) for shape in shapes for dim in (0, -1)]
    long = [(rng.randn(3, 67), -1), (rng.randn(131, 2), 0), (rng.randn(2, 261, 3), 1), (rng.randn(1025), -1)]
    assert_same(solution.softmax, reference.softmax, *calls, *long)


def test_float64(solution, reference, rng):
    """float64 in, float64 accuracy out

    Guards: a float32 step inside, a small number added to the sum, rounded constants.
    """
    x = rng.randn(3, 4, 5, dtype=torch.float64)
    assert_same(solution.softmax, reference.softmax, *((3.0 * x, dim) for dim in (0, 1, 2)))


def test_gradients(solution, reference, rng):
    """Gradients of x, where it is -inf too

    Guards: a detached step, an in-place step that autograd refuses, 0 times infinity behind a weight of 0.
    """
    x = rng.randn(3, 4, 5, dtype=torch.float64)
    calls = [(x, dim) for dim in (0, 1, -1)] + [(_holes(rng, x, dim), dim) for dim in (0, 1, -1)]
    assert_same(solution.softmax, reference.softmax, *calls, (rng.randn(2, 3),), gradients=True)


def test_half_precision(solution, reference, rng):
    """float16 and bfloat16 in, the same dtype out

    Guards: results of another dtype, bfloat16 inside for float16.
    """
    x = 3.0 * rng.randn(3, 4, 5)
    far = 50.0 + rng.randn(4, 3)  # where bfloat16 has steps of 1/4
    calls = [(x, 0), (x, 1), (_holes(rng, x), -1), (torch.full((2, 3), -INF), 0), (far, 0), (-far, -1)]
    assert_dtypes(solution.softmax, reference.softmax, *calls, dtypes=HALF)


def test_all_minus_infinity(solution, reference, rng):
    """A slice of nothing but -inf gives zeros

    Guards: -inf - (-inf), equal shares, neighbours that become zero too, slices looked for along another axis.
    """
    calls = []
    for dim in (0, 1, 2):
        x = _holes(rng, rng.randn(3, 4, 5), dim)
        empty = rng.mask(*x.select(dim, 0).shape)
        empty[0, 0], empty[1, 1] = True, False
        calls.append((x.masked_fill(empty.unsqueeze(dim), -INF), dim))
    row = rng.randn(3, 4)
    row[1] = -INF
    calls += [(row, 0), (row, 1), (row.T, 0), (row.T, 1)]  # across the empty row no slice is empty
    nothing = torch.full((2, 3), -INF)
    calls += [(nothing, 0), (nothing, -1), (nothing[:1, :1], 0), (nothing[0],), (row.double(), -1)]
    assert_same(solution.softmax, reference.softmax, *calls)


def test_layouts(solution, reference, rng):
    """Strided, transposed and expanded inputs

    Guards: views that need contiguous memory, writing into memory that several entries share.
    """
    x = rng.randn(3, 4, 5)
    assert_layouts(solution.softmax, reference.softmax, (x, 1))
    turned = x.permute(2, 0, 1)
    repeated = x[:, :1].expand(3, 4, 5)
    calls = [(turned, 0), (turned, 1), (turned, 2), (repeated, 1), (repeated, -1), (x[::2, 1:, ::3], 1)]
    assert_same(solution.softmax, reference.softmax, *calls)


def test_fresh_data(solution, reference, rng):
    """Other data gives other results, whatever the caller has set

    Guards: results kept from an earlier call, memory that is never set, a dtype taken from torch's default.
    """
    assert_repeatable(solution.softmax, reference.softmax, (rng.randn(3, 3), 0), (rng.randn(3, 3), 1))
    x = _holes(rng, rng.randn(3, 4))
    x[1] = -INF
    assert_global_state(solution.softmax, reference.softmax, (x,), (x, 0))


def test_large_values(solution, reference, rng):
    """Numbers near 10000 and -10000, values and gradients

    Guards: exp without the slice's own maximum, digits lost next to it, a finite number in the place of -inf.
    """
    gaps = rng.integers(0, 4, 3, 4, 5).double()  # whole numbers, which float32 holds exactly at this size
    high, low = 10000.0 - gaps, gaps - 10000.0
    mixed = torch.stack([high, low, 10000.0 * (2.0 * rng.mask(3, 4, 5) - 1.0), gaps])  # slices far from each other
    low[0, 0] = -10000.0
    calls = [(mixed, dim) for dim in range(4)] + [(_holes(rng, low, dim), dim) for dim in range(3)]
    emptied = _holes(rng, low)
    emptied[1, 1] = -INF
    for dtype in (torch.float64, torch.float32):
        assert_same(solution.softmax, reference.softmax, *(cast(call, dtype) for call in calls), gradients=True)
        assert_same(solution.softmax, reference.softmax, cast((emptied,), dtype))


def test_no_library_softmax(solution, reference, rng):
    """Written without the library's softmax

    Guards: softmax or its logarithm reached by another name than its usual one.
    """
    x = rng.randn(3, 4)
    empty = torch.full((2, 3), -INF)
    calls = [(x,), (x, 0), (x.double(), 1), (x.half(), 1), (empty, 1), (10000.0 * x, 0), (_holes(rng, x), 1), (x[0],)]
    assert_not_used(solution.softmax, *calls)
