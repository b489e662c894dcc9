"""Cases of `online_softmax(x, block_size)`. Rows hold no two equal maxima where gradients are asked for."""

import math

import torch

from judge.checks import (
    Trial,
    assert_dtypes,
    assert_global_state,
    assert_layouts,
    assert_repeatable,
    assert_same,
    cast,
)

INF = math.inf
HALF = (torch.float16, torch.bfloat16)


KINDS = ("plain", "rising", "all different", "one axis", "three axes", "far up", "far down", "-inf", "block", "row")


def inputs(rng, M=2, N=4, block_size=3, kind=KINDS):
    """M rows of N numbers; "block" and "row" are all -inf in one row. Of equal maxima any may get the gradient."""
    if kind == "all different":
        rows = torch.stack([rng.permutation(N) for _ in range(M)])
        return Trial("online_softmax", rows.float(), block_size)
    if kind in ("one axis", "three axes"):
        x = rng.randn(*((N,) if kind == "one axis" else (2, M, N)))
        return Trial("online_softmax", x, block_size, gradients=False)
    x = rng.randn(M, N)
    if kind == "rising":
        x = x.sort(dim=-1).values
    if kind in ("far up", "far down"):
        x += 300.0 if kind == "far up" else -300.0
    if kind == "-inf":
        x[:, 0] = -INF
    if kind == "block":
        x[0, :block_size] = -INF
    if kind == "row":
        x[-1] = -INF
    return Trial("online_softmax", x, block_size, gradients=False)


def test_example_two_blocks(solution, reference):
    """Four numbers in two blocks, by hand"""
    x = torch.tensor([[0.0, math.log(2.0), math.log(8.0), math.log(4.0)]])
    assert_same(solution.online_softmax, reference.online_softmax, (x, 2))


def test_example_minus_infinity(solution, reference):
    """A short second block; one row begins with a block of -inf, one is -inf all through"""
    x = torch.tensor([[-INF, -INF, 5.0], [-INF, -INF, -INF], [2.0, 2.0, 2.0]])
    assert_same(solution.online_softmax, reference.online_softmax, (x, 2))


def test_values(solution, reference, rng):
    """Random numbers, blocks that divide N

    Guards: sums and maxima of one block, of other rows, swapped results.
    """
    x, square = rng.randn(5, 8), rng.randn(6, 6)
    calls = [(x, block) for block in (1, 2, 4, 8)] + [(square, 2), (square, 3)]
    assert_same(solution.online_softmax, reference.online_softmax, *calls)


def test_ragged_blocks(solution, reference, rng):
    """Blocks that do not divide N

    Guards: numbers left out, counted twice or made up in a short last block.
    """
    x = rng.randn(4, 7)
    calls = [(x, block) for block in (2, 3, 4, 5, 6)] + [(x - 9.0, 4)]
    assert_same(solution.online_softmax, reference.online_softmax, *calls)


def test_maximum_in_any_block(solution, reference, rng):
    """The maximum in the first, a middle or the last block

    Guards: a sum that is not rescaled, or by the wrong factor: right while the first block holds the maximum.
    """
    rising = torch.arange(9.0)
    x = torch.stack([rising, rising.flip(0), rising.roll(4), -rising.roll(4), rising[rng.permutation(9)]])
    x += 0.1 * rng.randn(5, 9)
    assert_same(solution.online_softmax, reference.online_softmax, *[(x, block) for block in (1, 2, 3, 4)])


def test_shapes(solution, reference, rng):
    """One axis only, many axes, axes of size 1

    Guards: sizes of a matrix expected, results with an axis more or less.
    """
    calls = [(rng.randn(7), 3), (rng.randn(2, 3, 4, 5), 2), (rng.randn(1, 3, 1, 6), 4), (rng.randn(3, 2, 8), 8)]
    assert_same(solution.online_softmax, reference.online_softmax, *calls)


def test_zeros(solution, reference, rng):
    """A zero is a number like any other

    Guards: filling guessed from zeros.
    """
    x = rng.randn(3, 6) - 1.0
    x[:, 1], x[1, 3:], x[2] = 0.0, 0.0, 0.0
    assert_same(solution.online_softmax, reference.online_softmax, (x, 2), (x, 4))


def test_float64(solution, reference, rng):
    """float64 in, float64 accuracy out

    Guards: sums kept in float32.
    """
    calls = [(rng.randn(3, 7, dtype=torch.float64), block) for block in (2, 3, 7)]
    assert_same(solution.online_softmax, reference.online_softmax, *calls)


def test_gradients(solution, reference, rng):
    """The gradient of m and l

    Guards: detached steps, in-place steps that autograd refuses. Single -inf get a gradient of zero.
    """
    calls = [(rng.randn(3, 7, dtype=torch.float64), block) for block in (2, 3, 7)]
    holes = rng.randn(4, 6, dtype=torch.float64)
    holes[:, ::3] = -INF
    assert_same(solution.online_softmax, reference.online_softmax, *calls, (holes, 3), gradients=True)


def test_half_precision(solution, reference, rng):
    """float16 and bfloat16 in, the same dtype out

    Guards: results in another dtype, the coarser of the two dtypes inside.
    """
    assert_dtypes(solution.online_softmax, reference.online_softmax, (rng.randn(3, 6), 3), dtypes=HALF)
    wide = (2.0 * rng.randn(60, 21), 2)  # many rows, which show what bfloat16 loses
    assert_dtypes(solution.online_softmax, reference.online_softmax, wide, dtypes=HALF[:1])


def test_single_minus_infinities(solution, reference, rng):
    """Single -inf: every block still holds a number

    Guards: -inf taken for a number or for the end of a row.
    """
    x = rng.randn(6, 9)
    x[:, 1], x[0, 0], x[1, 5], x[2, 8], x[3, 3] = -INF, -INF, -INF, -INF, -INF
    calls = [(x, 3), (x, 9), (x - 40.0, 3)]
    assert_same(solution.online_softmax, reference.online_softmax, *calls)


def test_blocks_of_minus_infinity(solution, reference, rng):
    """Whole blocks of -inf at the start, in the middle or at the end, in some rows only

    Guards: -inf - (-inf), blocks skipped for all rows, a pass that ends too early.
    """
    x = rng.randn(6, 8)
    x[0, :2] = x[1, 2:4] = x[2, 6:] = x[3, :6] = x[4, 2:] = -INF
    every = rng.randn(3, 8)
    every[:, 2:6] = -INF
    calls = [(x, 2), (x, 1), (every, 2), (every.flip(0), 4), (x - 60.0, 2), (x.double(), 2), (x.half(), 2)]
    assert_same(solution.online_softmax, reference.online_softmax, *calls)


def test_rows_of_minus_infinity(solution, reference, rng):
    """A row of -inf all through: m = -inf and l = 0

    Guards: NaN, a finite start of the maximum, and the other rows, which must not change.
    """
    x = rng.randn(4, 6)
    x[1], x[3] = -INF, -INF
    nothing = torch.full((2, 5), -INF)
    calls = [(x, 2), (x, 6), (nothing, 2), (nothing.bfloat16(), 3), (x.half(), 4), (x.double(), 4)]
    assert_same(solution.online_softmax, reference.online_softmax, *calls)


def test_sizes(solution, reference, rng):
    """One number, blocks longer than a row, long rows

    Guards: buffers as long as a block, sums that are cut.
    """
    calls = [(rng.randn(1, 1), 1), (rng.randn(3, 1), 4), (rng.randn(2, 5), 100), (rng.randn(2, 263), 64)]
    calls += [(rng.randn(1, 70), 1), (torch.linspace(-8.0, 8.0, 150).repeat(2, 1), 7)]
    assert_same(solution.online_softmax, reference.online_softmax, *calls)


def test_layouts(solution, reference, rng):
    """Strided, transposed and expanded inputs

    Guards: views that need contiguous memory, and writing into memory that rows share.
    """
    assert_layouts(solution.online_softmax, reference.online_softmax, (rng.randn(2, 4, 6), 3))
    calls = [(rng.randn(2, 1, 6).expand(2, 4, 6), 2), (rng.randn(3, 2, 5).transpose(0, 1), 2)]
    assert_same(solution.online_softmax, reference.online_softmax, *calls)


def test_fresh_data(solution, reference, rng):
    """Other data gives other results, whatever the caller has set

    Guards: results kept from an earlier call, memory that is never set, a dtype taken from torch's default.
    """
    x = rng.randn(3, 6)
    assert_repeatable(solution.online_softmax, reference.online_softmax, (x, 2), (x, 3))
    assert_global_state(solution.online_softmax, reference.online_softmax, (x, 2))


def test_large_numbers(solution, reference, rng):
    """10000, -10000 and beyond

    Guards: exp without the running maximum of the row itself, a maximum that starts at a finite number.
    """
    # Whole numbers are exact in float32, so that only exp rounds.
    steps = torch.tensor([-3.0, 0.0, -1.0, -7.0, -2.0, -4.0])
    jumps = torch.tensor([-10000.0, 10000.0, 9998.0, -9999.0, 10001.0, 0.0])
    rows = [steps + 10000, steps - 10000, steps - 30000, steps, jumps, jumps.flip(0), jumps[rng.permutation(6)]]
    x = torch.stack(rows)
    assert_same(solution.online_softmax, reference.online_softmax, *[(x, block) for block in (1, 2, 3, 6)])
    wide = [(cast((x,), torch.float64)[0], block) for block in (2, 4)]
    assert_same(solution.online_softmax, reference.online_softmax, *wide, gradients=True)
