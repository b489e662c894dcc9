"""Cases of `flash_attention(q, k, v, block_size)`. Sizes differ from one another so that no axes can be mixed up."""

import math

import torch

from judge.checks import (
    Trial,
    assert_dtypes,
    assert_global_state,
    assert_layouts,
    assert_new_storage,
    assert_not_used,
    assert_repeatable,
    assert_same,
    cast,
)

HALF = (torch.float16, torch.bfloat16)


def _inputs(rng, B, H, T, S, D, Dv, dtype=torch.float32):
    q, k, v = rng.randn(B, H, T, D), rng.randn(B, H, S, D), rng.randn(B, H, S, Dv)
    return cast((q, k, v), dtype)


def inputs(rng, B=2, H=2, T=3, S=4, D=4, Dv=3, block_size=4):
    """One call of these sizes."""
    return Trial("flash_attention", *_inputs(rng, B, H, T, S, D, Dv), block_size) if T <= S else None


def test_example_two_blocks(solution, reference):
    """One query, two blocks of two keys, by hand"""
    q = torch.tensor([[[[1.0]]]])
    k = torch.tensor([[[[0.0], [math.log(2.0)], [math.log(4.0)], [0.0]]]])
    v = torch.tensor([[[[8.0], [4.0], [2.0], [0.0]]]])
    assert_same(solution.flash_attention, reference.flash_attention, (q, k, v, 2))


def test_example_short_block(solution, reference):
    """Three keys in blocks of two: the last block is short"""
    q = torch.tensor([[[[math.log(2.0)], [0.0]]]])
    k = torch.tensor([[[[0.0], [1.0], [2.0]]]])
    v = torch.tensor([[[[7.0], [14.0], [0.0]]]])
    assert_same(solution.flash_attention, reference.flash_attention, (q, k, v, 2))


def test_values(solution, reference, rng):
    """Random values, several heads, blocks that divide S

    Guards: the scale, the rescaling, the axis of the softmax, the width of v.
    """
    arguments, square = _inputs(rng, 2, 3, 8, 8, 4, 5), _inputs(rng, 2, 3, 6, 6, 6, 6)
    calls = [(*arguments, block) for block in (1, 2, 4, 8)] + [(*square, block) for block in (2, 3)]
    assert_same(solution.flash_attention, reference.flash_attention, *calls)


def test_ragged_blocks(solution, reference, rng):
    """Blocks that do not divide S

    Guards: keys left out, counted twice or made up in a short last block.
    """
    arguments = _inputs(rng, 2, 2, 7, 7, 5, 3)
    assert_same(solution.flash_attention, reference.flash_attention, *[(*arguments, n) for n in (2, 3, 4, 5, 6)])


def test_maximum_in_any_block(solution, reference, rng):
    """The highest score in the first, a middle or the last block

    Guards: one of the sums not rescaled, or by the wrong factor: right while the first block holds the maximum.
    """
    q, k, v = _inputs(rng, 1, 3, 9, 9, 4, 2)
    q[..., 0], k[..., 0] = 4.0, torch.tensor([[0.0, 1, 2, 3, 4, 5, 6, 7, 8], [8.0, 7, 6, 5, 4, 3, 2, 1, 0], [0.0] * 9])
    k[0, 2, 4, 0] = 9.0
    q[:, :, 1::2, 0] = -4.0  # half of the queries in the other order
    assert_same(solution.flash_attention, reference.flash_attention, *[(q, k, v, block) for block in (1, 2, 3)])


def test_zero_scores(solution, reference, rng):
    """A score of exactly zero is a score

    Guards: filling guessed from zeros.
    """
    q, k, v = _inputs(rng, 2, 2, 5, 5, 4, 3)
    q[:, :, 1], k[:, :, 2], v[:, :, 3] = 0.0, 0.0, 0.0
    assert_same(solution.flash_attention, reference.flash_attention, (q, k, v, 2), (q, k, v, 3))


def test_float64(solution, reference, rng):
    """float64 in, float64 accuracy out

    Guards: sums in float32. D = 7 has a root that no float holds exactly.
    """
    calls = [(*_inputs(rng, 2, 2, 6, 6, 7, 5, torch.float64), block) for block in (2, 4)]
    calls = [(8.0 * q, *others) for q, *others in calls]  # wider scores, which show a rounded scale
    assert_same(solution.flash_attention, reference.flash_attention, *calls)


def test_gradients(solution, reference, rng):
    """Gradients of q, k and v

    Guards: detached steps, in-place steps that autograd refuses.
    """
    calls = [(*_inputs(rng, 2, 2, 7, 7, 4, 3, torch.float64), block) for block in (2, 3, 9)]
    calls.append((*_inputs(rng, 1, 2, 3, 5, 3, 4), 2))
    assert_same(solution.flash_attention, reference.flash_attention, *calls, gradients=True)


def test_half_precision(solution, reference, rng):
    """float16 and bfloat16

    Guards: constants that do not fit, results of another dtype, the coarser of the two dtypes inside.
    """
    calls = [(*_inputs(rng, 2, 2, 4, 6, 8, 5), 2), (*_inputs(rng, 2, 2, 5, 5, 8, 8), 3)]
    assert_dtypes(solution.flash_attention, reference.flash_attention, *calls, dtypes=HALF)
    q, k, v = _inputs(rng, 2, 2, 16, 16, 8, 15)
    wide = (1.5 * q, k, v, 6)  # wide scores and many of them, which show what bfloat16 loses
    assert_dtypes(solution.flash_attention, reference.flash_attention, wide, dtypes=HALF[:1])


def test_history(solution, reference, rng):
    """Fewer queries than keys: T < S, and every query sees every key

    Guards: a causal mask, sizes of queries taken for those of keys.
    """
    sizes = ((2, 3, 3, 8, 4, 5, 2), (2, 2, 4, 7, 5, 3, 3), (1, 2, 1, 6, 3, 2, 4))
    calls = [(*_inputs(rng, *size), block) for *size, block in sizes]
    assert_same(solution.flash_attention, reference.flash_attention, *calls)


def test_sizes(solution, reference, rng):
    """One query, one key, odd and long sizes, blocks larger than S

    Guards: squeezed axes, buffers as long as a block.
    """
    sizes = ((1, 1, 1, 1, 1, 1, 1), (1, 1, 1, 1, 3, 2, 4), (3, 1, 3, 5, 1, 2, 6), (1, 5, 2, 9, 3, 1, 100))
    sizes = (*sizes, (1, 1, 67, 131, 4, 3, 32), (1, 2, 5, 261, 8, 7, 17), (2, 1, 1, 64, 6, 5, 1))
    calls = [(*_inputs(rng, *size), block) for *size, block in sizes]
    assert_same(solution.flash_attention, reference.flash_attention, *calls)


def test_layouts(solution, reference, rng):
    """Strided, expanded and shared inputs

    Guards: views that need contiguous memory, writing into memory that several axes share.
    """
    assert_layouts(solution.flash_attention, reference.flash_attention, (*_inputs(rng, 2, 3, 5, 5, 4, 4), 2))
    split = [rng.randn(2, T, 3 * D).view(2, T, 3, D).transpose(1, 2) for T, D in ((4, 6), (5, 6), (5, 7))]
    assert_same(solution.flash_attention, reference.flash_attention, (*split, 2))


def test_fresh_data(solution, reference, rng):
    """Other data gives other results, whatever the caller has set

    Guards: sums kept from an earlier call, memory that is never set, a dtype taken from torch's default.
    """
    arguments = _inputs(rng, 2, 2, 4, 5, 4, 3)
    assert_repeatable(solution.flash_attention, reference.flash_attention, (*arguments, 2), (*arguments, 3))
    assert_global_state(solution.flash_attention, reference.flash_attention, (*arguments, 2))


def test_large_scores(solution, reference, rng):
    """Scores of 10000 and -10000 and beyond

    Guards: exp without the running maximum of the query itself, a maximum that starts at a finite number.
    """
    # D = 16 and whole numbers keep every score exact; gaps of 100 and more leave one weight of 1.
    order = rng.permutation(6)
    rising = torch.tensor([-200.0, -150.0, -100.0, 100.0, 150.0, 200.0])  # scores from -10000 to 10000
    low = torch.tensor([210.0, 220.0, 230.0, 240.0, 250.0, 260.0])  # with a negative query all below -10000
    calls = []
    for keys in (rising, rising.flip(0), rising[order], low, low.flip(0), low[order]):
        q, k = torch.zeros(1, 2, 4, 16), torch.zeros(1, 2, 6, 16)
        q[..., 3] = torch.tensor([[200.0, -200.0, 180.0, -180.0], [-200.0, 200.0, -1.0, 0.0]])
        k[..., 3] = keys
        calls.append((q, k, rng.randn(1, 2, 6, 5), 2))
    assert_same(solution.flash_attention, reference.flash_attention, *calls)
    wide = [cast(call, torch.float64) for call in calls]
    assert_same(solution.flash_attention, reference.flash_attention, *wide, gradients=True)


def test_memory(solution, rng):
    """Every new tensor is much smaller than T x S numbers

    Guards: all scores at once, also where two tiles hold all queries.
    """
    for T, S, D, block in ((64, 1024, 4, 32), (2048, 2048, 64, 128)):
        call = (*_inputs(rng, 1, 1, T, S, D, D), block)
        assert_new_storage(solution.flash_attention, call, at_most=T * S // 4 * 4 - 1)  # float32: 4 bytes a number


def test_no_library_attention(solution, reference, rng):
    """Written without library attention

    Guards: library attention reached by another name than its usual one.
    """
    assert_not_used(solution.flash_attention, (*_inputs(rng, 1, 2, 4, 4, 4, 4), 2))
