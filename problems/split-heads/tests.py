"""Cases of `split_heads(x, n_heads)` and `merge_heads(y)`.

B, H, T and D differ from one another where values count. Results are compared exactly: numbers move, none is computed.
Half of the cases ask for the split first, the others for the merge: where only one of the two is wrong, that shows.
"""

import torch

from judge.checks import Trial, assert_equal, assert_global_state, assert_layouts, assert_repeatable, assert_same

SIZES = [(2, 3, 5, 4), (3, 2, 4, 5), (4, 5, 2, 3), (2, 4, 3, 4), (3, 3, 3, 3)]


def inputs(rng, B=2, H=3, T=2, D=3, part=("split", "merge")):
    """One call of these sizes."""
    if part == "split":
        return Trial("split_heads", rng.randn(B, T, H * D), H)
    return Trial("merge_heads", rng.randn(B, H, T, D))


def _split(solution, reference, *calls, gradients=False):
    assert_same(solution.split_heads, reference.split_heads, *calls, gradients=gradients, tolerance=0.0)


def _merge(solution, reference, *calls, gradients=False):
    assert_same(solution.merge_heads, reference.merge_heads, *((y,) for y in calls), gradients=gradients, tolerance=0.0)


def test_example_split(solution, reference):
    """Two tokens, two heads: which channels each head gets"""
    x = torch.tensor([[[10.0, 11.0, 12.0, 13.0, 14.0, 15.0], [20.0, 21.0, 22.0, 23.0, 24.0, 25.0]]])
    _split(solution, reference, (x, 2))


def test_example_merge(solution, reference):
    """The same two heads, merged again"""
    y = torch.tensor([[[[10.0, 11.0, 12.0], [20.0, 21.0, 22.0]], [[13.0, 14.0, 15.0], [23.0, 24.0, 25.0]]]])
    _merge(solution, reference, y)


def test_values(solution, reference, rng):
    """B, H, T and D all different, and all equal

    Guards: axes taken for one another.
    """
    _split(solution, reference, *((rng.randn(B, T, H * D), H) for B, H, T, D in SIZES))
    _merge(solution, reference, *(rng.randn(*size) for size in SIZES))


def test_sizes(solution, reference, rng):
    """One head, one channel, one token, odd and long sizes

    Guards: squeezed axes, sizes written into the code.
    """
    sizes = [
        (1, 1, 1, 1),
        (2, 1, 3, 5),
        (2, 3, 5, 1),
        (3, 2, 1, 5),
        (1, 7, 3, 2),
        (1, 1, 4, 3),
        (1, 3, 257, 5),
        (2, 33, 2, 3),
    ]
    _merge(solution, reference, *(rng.randn(*size) for size in sizes))
    _split(solution, reference, *((rng.randn(B, T, H * D), H) for B, H, T, D in sizes))


def test_dtypes(solution, reference, rng):
    """Every dtype comes back as it was, number for number

    Guards: results of the default dtype, numbers rounded on the way.
    """
    B, H, T, D = 2, 3, 5, 4
    dtypes = (torch.float64, torch.bfloat16, torch.float16)
    _split(solution, reference, *((rng.randn(B, T, H * D, dtype=dtype), H) for dtype in dtypes))
    _merge(solution, reference, *(rng.randn(B, H, T, D, dtype=dtype) for dtype in dtypes))


def test_gradients_of_split(solution, reference, rng):
    """Gradients through the split

    Guards: numbers taken out of autograd's sight.
    """
    calls = [(rng.randn(B, T, H * D, dtype=torch.float64), H) for B, H, T, D in SIZES[:2]]
    _split(solution, reference, *calls, gradients=True)


def test_gradients_of_merge(solution, reference, rng):
    """Gradients through the merge

    Guards: numbers taken out of autograd's sight.
    """
    y = rng.randn(2, 3, 5, 4, dtype=torch.float64)
    _merge(solution, reference, y, y.transpose(1, 2).contiguous().transpose(1, 2), gradients=True)


def test_layouts(solution, reference, rng):
    """Strided, transposed and expanded inputs

    Guards: views that need contiguous memory, numbers taken in the order of memory. What a projection of queries, keys
    and values in one gives is a tensor cut into three; what split gives is a transposed view.
    """
    B, H, T, D = 2, 3, 5, 4
    fused = rng.randn(B, T, 3 * H * D)
    tokens_first = rng.randn(T, B, H * D).transpose(0, 1)
    one_for_all = rng.randn(1, T, H * D).expand(B, T, H * D)
    _split(solution, reference, *((part, H) for part in fused.chunk(3, -1)), (tokens_first, H))
    _split(solution, reference, (one_for_all, H))
    assert_layouts(solution.split_heads, reference.split_heads, (rng.randn(B, T, H * D), H))
    split = rng.randn(B, T, H, D).transpose(1, 2)
    heads_last = rng.randn(B, T, D, H).permute(0, 3, 1, 2)
    cut = rng.randn(B, H, 2 * T, 3 * D)[:, :, ::2, D : 2 * D]
    _merge(solution, reference, split, heads_last, cut, rng.randn(B, 1, T, D).expand(B, H, T, D))
    assert_layouts(solution.merge_heads, reference.merge_heads, (rng.randn(B, H, T, D),))


def test_round_trip(solution, rng):
    """Merging what the split gives restores the input

    Guards: a pair in which each undoes the other is no proof; the two together must be one all the same.
    """
    for B, H, T, D in ((2, 3, 5, 4), (3, 4, 1, 2)):
        x = rng.randn(B, T, H * D)
        assert_equal(solution.merge_heads(solution.split_heads(x, H)), x)


def test_fresh_data(solution, reference, rng):
    """Other data or another number of heads gives other results, whatever the caller has set

    Guards: results or numbers of heads kept from an earlier call, memory that is never set, torch's default dtype.
    """
    x, y = rng.randn(2, 3, 12), rng.randn(2, 4, 3, 5)
    assert_repeatable(solution.merge_heads, reference.merge_heads, (y,), (rng.randn(2, 6, 3, 5),), tolerance=0.0)
    assert_repeatable(solution.split_heads, reference.split_heads, (x, 2), (x, 3), (x, 6), tolerance=0.0)
    assert_global_state(solution.merge_heads, reference.merge_heads, (y,), tolerance=0.0)
    assert_global_state(solution.split_heads, reference.split_heads, (x, 3), tolerance=0.0)
