"""Cases of `apply_rope(x, positions, base)`: pairs, angles and positions first, then precision and limits.

Angles of float32 are as exact as positions are small: it is compared at 1e-4 up to position 100, at 2e-2 beyond.
"""

import torch

from judge.checks import Trial, assert_dtypes, assert_layouts, assert_same, cast

FLOAT32 = 1e-4


def inputs(rng, B=2, H=2, T=2, D=4, positions=("from 0", "later", "far", "one row each"), base=(10000.0, 100.5)):
    """One call of these sizes; far positions where all frequencies are 1, else angles lose digits."""
    if D % 2:
        return None
    far = 100_003 if D == 2 else 257
    rows = {"from 0": torch.arange(T), "later": torch.arange(T) + 3, "far": 2 * torch.arange(T) + far}
    rows["one row each"] = torch.arange(B * T).view(B, T)
    return Trial("apply_rope", rng.randn(B, H, T, D), rows[positions], base)


def draw(rng, B, H, T, D, *shape, below=100, dtype=torch.float32):
    """x, and random positions of this shape below a limit."""
    return rng.randn(B, H, T, D, dtype=dtype), rng.integers(0, below, *shape)


def test_example_one_pair(solution, reference):
    """One pair: the first angle is the position itself"""
    x = torch.tensor([[[[1.0, 0.0], [1.0, 0.0], [0.0, 2.0]]]])
    assert_same(solution.apply_rope, reference.apply_rope, (x, torch.tensor([0, 1, 1])), tolerance=FLOAT32)


def test_example_two_pairs(solution, reference):
    """Two pairs, base 100: channel 0 turns with 2, channel 1 with 3"""
    x = torch.tensor([[[[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0], [1.0, 2.0, 3.0, 4.0]]]])
    assert_same(solution.apply_rope, reference.apply_rope, (x, torch.tensor([1, 1, 10]), 100.0), tolerance=FLOAT32)


def test_positions_in_order(solution, reference, rng):
    """Positions 0, 1, 2 ... over several batches and heads

    Guards: frequencies that are right for one and two pairs only.
    """
    calls = [(rng.randn(B, H, T, D), torch.arange(T)) for B, H, T, D in ((2, 3, 5, 8), (3, 2, 7, 6), (2, 5, 4, 10))]
    assert_same(solution.apply_rope, reference.apply_rope, *calls, tolerance=FLOAT32)


def test_any_positions(solution, reference, rng):
    """Positions that start later, jump, repeat and go back

    Guards: positions counted from 0, sorted, or kept from an earlier call of the same length.
    """
    x = rng.randn(2, 3, 6, 8)
    positions = [
        torch.arange(7, 13),
        torch.tensor([4, 0, 0, 99, 3, 5]),
        torch.arange(6).flip(0),
        torch.arange(0, 12, 2),
    ]
    calls = [(x, row) for row in positions]
    assert_same(solution.apply_rope, reference.apply_rope, *calls, tolerance=FLOAT32)


def test_positions_of_each_row(solution, reference, rng):
    """Positions [B, T]: each row of the batch has its own

    Guards: positions of the first row for all; [B, T] spread over heads where B equals H; [T] taken for [B, T]. Other
    cases keep to [T], so that what is wrong there shows without this.
    """
    sizes = [(2, 3, 5, 8, 2, 5), (3, 3, 4, 6, 3, 4), (4, 2, 4, 6, 4, 4), (1, 2, 5, 12, 1, 5), (1, 1, 1, 2, 1, 1)]
    square, wide = draw(rng, 4, 4, 4, 8, 4), draw(rng, 2, 3, 4, 6, 2, 4, dtype=torch.float64)
    shared = (rng.randn(3, 2, 4, 8), torch.tensor([[7, 3, 0, 9]]).expand(3, 4))
    calls = [*(draw(rng, *size) for size in sizes), square, shared]
    assert_same(solution.apply_rope, reference.apply_rope, *calls, tolerance=FLOAT32)
    assert_same(solution.apply_rope, reference.apply_rope, wide, gradients=True)


def test_other_bases(solution, reference, rng):
    """Bases 100, 500000, 1000000 and 2.5

    Guards: a base written into the code or rounded, angles kept from another base.
    """
    bases = ((100.0,), (), (500000.0,), (1e6,), (2.5,))
    calls = [(*draw(rng, 2, 3, T, 14, T), *base) for T, base in zip((5, 3, 6, 4, 7), bases, strict=True)]
    assert_same(solution.apply_rope, reference.apply_rope, *calls, tolerance=FLOAT32)


def test_sizes(solution, reference, rng):
    """One token, one pair, odd numbers of pairs, 128 channels

    Guards: squeezed axes, D divisible by 4, tables of one width.
    """
    sizes = [(1, 1, 1, 2, 1), (3, 1, 2, 2, 2), (1, 7, 3, 6, 3), (1, 2, 131, 10, 131)]
    calls = [draw(rng, *size) for size in sizes]
    assert_same(solution.apply_rope, reference.apply_rope, *calls, draw(rng, 1, 2, 3, 128, 3), tolerance=FLOAT32)


def test_float64(solution, reference, rng):
    """float64 in, float64 accuracy out, angles too

    Guards: frequencies or angles in float32, whatever x is.
    """
    calls = [draw(rng, 2, 3, T, D, T, dtype=torch.float64) for T, D in ((5, 6), (4, 10))]
    assert_same(solution.apply_rope, reference.apply_rope, *calls)


def test_gradients(solution, reference, rng):
    """The gradient of x: it turns back

    Guards: results cut off from autograd, writing in place into what backward needs.
    """
    calls = [draw(rng, 2, 3, T, D, T, dtype=torch.float64) for T, D in ((5, 6), (4, 10))]
    assert_same(solution.apply_rope, reference.apply_rope, *calls, gradients=True)


def test_half_precision(solution, reference, rng):
    """float16 and bfloat16: the same dtype out, angles exact all the same

    Guards: positions and angles in the dtype of x (bfloat16 has no number between 256 and 258), results in float32,
    perhaps for positions [B, T] only.
    """
    x, positions = draw(rng, 2, 3, 5, 8, 5)
    large = torch.tensor([101, 257, 513, 1003, 2049])
    halves = (torch.float16, torch.bfloat16)
    calls = [(x, positions), (x, large), (x, torch.stack([positions, large]))]
    assert_dtypes(solution.apply_rope, reference.apply_rope, *calls, dtypes=halves)


def test_large_positions(solution, reference, rng):
    """Positions up to 100000

    Guards: tables of fixed length, positions cut or wrapped. Angles lose digits here, hence the wide tolerance.
    """
    x = rng.randn(2, 3, 6, 8, dtype=torch.float64)
    positions = torch.tensor([2047, 4096, 8193, 32768, 65537, 100000])

    def exact(x, positions):
        return reference.apply_rope(x.double(), positions).to(x.dtype)

    assert_same(solution.apply_rope, exact, (x.float(), positions), tolerance=2e-2)
    assert_same(solution.apply_rope, reference.apply_rope, (x, positions), tolerance=1e-8)


def test_layouts(solution, reference, rng):
    """Strided, transposed and expanded inputs; x stays as it is

    Guards: views that need contiguous memory, turning x in place.
    """
    x, positions = draw(rng, 2, 3, 4, 8, 4)
    assert_layouts(solution.apply_rope, reference.apply_rope, cast((x, positions), torch.float64))
    split = rng.randn(2, 4, 3, 8, dtype=torch.float64).transpose(1, 2)  # as it comes from a projection
    calls = [(split, positions), (split, positions[:1].expand(4)), (split, torch.arange(8)[::2])]
    assert_same(solution.apply_rope, reference.apply_rope, *calls)
