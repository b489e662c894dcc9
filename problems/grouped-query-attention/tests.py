"""Cases of `gqa(q, k, v)`. In most calls all sizes differ, and groups and their number do too."""

import math

import torch

from judge.checks import (
    Trial,
    assert_dtypes,
    assert_equal,
    assert_global_state,
    assert_jacobian,
    assert_layouts,
    assert_repeatable,
    assert_same,
    cast,
    shown_stages,
)


def inputs(rng, B=2, Hkv=3, group=3, T=2, S=3, D=2, Dv=2):
    """One call of these sizes."""
    if T > S:
        return None
    return Trial("gqa", *draw(rng, B, Hkv, group, T, S, D, Dv))


def draw(rng, B, Hkv, group, T, S, D, Dv, dtype=torch.float32):
    q = rng.randn(B, Hkv * group, T, D, dtype=dtype)
    k = rng.randn(B, Hkv, S, D, dtype=dtype)
    v = rng.randn(B, Hkv, S, Dv, dtype=dtype)
    return q, k, v


def stages(q, k, v):
    """What a learner is shown of a failing call."""
    scores = q @ k.repeat_interleave(q.size(1) // k.size(1), dim=1).mT / math.sqrt(q.size(-1))
    return shown_stages(scores, torch.ones(scores.shape[-2:], dtype=torch.bool))


def test_example_two_groups(solution, reference):
    """Four query heads, two key heads, by hand"""
    q = torch.tensor([0.0, math.log(3.0), 0.0, math.log(3.0)]).view(1, 4, 1, 1)
    k = torch.tensor([[1.0, 0.0], [1.0, 0.0]]).view(1, 2, 2, 1)
    v = torch.tensor([[4.0, 8.0], [40.0, 80.0]]).view(1, 2, 2, 1)
    assert_same(solution.gqa, reference.gqa, (q, k, v))


def test_example_one_key_head(solution, reference):
    """Multi-query attention: all heads share one"""
    q = torch.tensor([[[[2.0, 0.0]], [[0.0, 2.0]], [[0.0, 0.0]]]])
    k = torch.tensor([[[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]]])
    v = torch.tensor([[[[3.0], [6.0], [9.0]]]])
    assert_same(solution.gqa, reference.gqa, (q, k, v))


def test_groups_of_two(solution, reference, rng):
    """Three groups of two heads

    Guards: tiled heads, an index that runs out of the key heads only where groups are larger than their number.
    """
    assert_same(solution.gqa, reference.gqa, draw(rng, 2, 3, 2, 4, 5, 8, 7))


def test_group_sizes(solution, reference, rng):
    """Groups of every size, and several numbers of them

    Guards: a group size taken from an example; B, Hkv, group, T, S, D and Dv are all different.
    """
    sizes = [(2, 2, 3, 5, 7, 8, 6), (3, 2, 4, 1, 6, 5, 7), (2, 4, 2, 3, 5, 7, 6), (1, 3, 4, 2, 5, 6, 7)]
    sizes += [(2, 2, 2, 3, 3, 3, 3), (1, 2, 7, 4, 5, 6, 3), (1, 5, 3, 4, 4, 6, 2)]
    assert_same(solution.gqa, reference.gqa, *[draw(rng, *size) for size in sizes])


def test_both_ends(solution, reference, rng):
    """One key head for all (MQA), one for each (MHA)

    Guards: groups of one, a single group, and batches as large as the number of heads.
    """
    sizes = [(2, 1, 4, 3, 5, 8, 6), (2, 4, 1, 3, 5, 8, 6), (3, 1, 3, 4, 4, 5, 5), (3, 3, 1, 4, 4, 5, 5)]
    sizes += [(2, 1, 1, 3, 4, 5, 6), (4, 2, 2, 3, 5, 4, 6)]
    assert_same(solution.gqa, reference.gqa, *[draw(rng, *size) for size in sizes])


def test_dtypes(solution, reference, rng):
    """float64 exact, float16 and bfloat16 kept

    Guards: a float32 step inside, perhaps for a single query only, results of another dtype. D = 7 has a root that no
    float holds exactly.
    """
    q, k, v = draw(rng, 2, 2, 3, 4, 6, 7, 5, dtype=torch.float64)
    q = 5.0 * q  # far-apart scores show float32
    assert_same(solution.gqa, reference.gqa, (q, k, v), (q[:, :, :1], k, v))
    assert_dtypes(solution.gqa, reference.gqa, draw(rng, 2, 2, 3, 4, 6, 7, 5), draw(rng, 1, 3, 2, 5, 5, 8, 8))


def test_gradients(solution, reference, rng):
    """Gradients of q, k and v

    Guards: detached keys, a gradient of one head of the group instead of their sum.
    """
    sizes = [(2, 2, 3, 4, 5, 6, 7), (2, 1, 3, 2, 4, 5, 3), (1, 3, 1, 3, 3, 4, 2)]
    calls = [draw(rng, *size, dtype=torch.float64) for size in sizes]
    assert_same(solution.gqa, reference.gqa, *calls, draw(rng, 1, 2, 2, 3, 4, 5, 6), gradients=True)


def test_who_reads_whom(solution, reference, rng):
    """Each head reads the keys and values of its own group, all of them

    Guards: leaks between groups, sequences or queries too small for the comparison of values.
    """
    call = draw(rng, 2, 2, 3, 2, 3, 4, 4, dtype=torch.float64)
    assert_jacobian(solution.gqa, reference.gqa, call, argument=(0, 1, 2))


def test_sizes(solution, reference, rng):
    """One token, one key, long and odd lengths

    Guards: squeezed axes, tiles whose ragged rest is dropped, queries as many as keys.
    """
    sizes = [(1, 1, 1, 1, 1, 1, 1), (1, 2, 3, 1, 7, 33, 17), (3, 2, 2, 1, 1, 5, 1), (1, 2, 2, 3, 261, 8, 4)]
    sizes += [(1, 2, 2, 67, 131, 4, 3), (5, 1, 8, 1, 2, 1, 2)]
    assert_same(solution.gqa, reference.gqa, *[draw(rng, *size) for size in sizes])


def test_layouts(solution, reference, rng):
    """Strided, expanded and shared inputs

    Guards: views that need contiguous memory, writing into memory that several heads share.
    """
    assert_layouts(solution.gqa, reference.gqa, draw(rng, 2, 2, 2, 3, 5, 4, 4))
    B, T, D = 2, 5, 6
    merged = rng.randn(B, T, (6 + 2 + 2) * D).view(B, T, 10, D).transpose(1, 2)  # as a fused projection leaves them
    q, k, v = merged.split([6, 2, 2], dim=1)
    shared = (q, k[:, :1].expand(B, 3, T, D), v[:, :1].expand(B, 3, T, D))
    assert_same(solution.gqa, reference.gqa, (q, k, v), shared)


def test_fresh_data(solution, reference, rng):
    """Inputs stay as they are, other data gives other results

    Guards: arguments changed in place, keys kept from an earlier call.
    """
    calls = [draw(rng, 2, 2, 3, 3, 4, 5, 6), draw(rng, 2, 3, 2, 3, 4, 5, 6)]
    kept = [argument.clone() for argument in calls[0]]
    assert_repeatable(solution.gqa, reference.gqa, *calls)
    for name, argument, before in zip("qkv", calls[0], kept, strict=True):
        assert_equal(argument, before, of=name)


def test_global_state(solution, reference, rng):
    """The caller's settings of torch do not matter

    Guards: tensors made in the default dtype, memory that is read before it is written.
    """
    assert_global_state(solution.gqa, reference.gqa, draw(rng, 2, 2, 3, 3, 4, 5, 6))


def test_large_scores(solution, reference, rng):
    """Scores of 10000 and -10000

    Guards: exp without the row's own maximum, clamped scores. D = 16 and whole numbers keep every score exact; gaps of
    1000 and more leave one weight of 1. In head 1 of each group all scores are negative.
    """
    q, k = torch.zeros(1, 4, 3, 16), torch.zeros(1, 2, 6, 16)
    q[0, ::2, :, 3], q[0, 1::2, :, 3] = torch.tensor([200.0, 150.0, 100.0]), torch.tensor([-200.0, -150.0, -100.0])
    for head in range(2):
        k[0, head, :, 3] = torch.tensor([200.0, 180.0, 160.0, 140.0, 120.0, 100.0])[rng.permutation(6)]
    v = rng.randn(1, 2, 6, 5)
    both = k * torch.tensor([1.0, -1.0]).view(1, 2, 1, 1)
    calls = [cast(call, dtype) for call in ((q, k, v), (q, both, v)) for dtype in (torch.float32, torch.float64)]
    assert_same(solution.gqa, reference.gqa, *calls, gradients=True)
