"""Cases of `flash_attention_causal(q, k, v, block_size)`: values, history, then limits, work, memory."""

import math

import torch

from judge.checks import (
    Trial,
    assert_dtypes,
    assert_flops,
    assert_global_state,
    assert_independent,
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
    return Trial("flash_attention_causal", *_inputs(rng, B, H, T, S, D, Dv), block_size) if T <= S else None


def test_example_means(solution, reference):
    """Equal scores: the mean of the values so far, and the log of their number"""
    q, k = torch.zeros(1, 1, 4, 2), torch.tensor([[[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, 0.0]]]])
    v = torch.tensor([[[[2.0], [4.0], [6.0], [8.0]]]])
    assert_same(solution.flash_attention_causal, reference.flash_attention_causal, (q, k, v, 2))


def test_example_history(solution, reference):
    """Two queries after one older key"""
    q = torch.tensor([[[[math.log(2.0)], [math.log(2.0)]]]])
    k = torch.tensor([[[[0.0], [1.0], [2.0]]]])
    v = torch.tensor([[[[1.0], [4.0], [10.0]]]])
    assert_same(solution.flash_attention_causal, reference.flash_attention_causal, (q, k, v, 2))


def test_values(solution, reference, rng):
    """Random values, several heads, tiles that fit: T = S

    Guards: the scale, the mask inside a tile, the rescaling, the width of v.
    """
    arguments, square = _inputs(rng, 2, 3, 8, 8, 4, 5), _inputs(rng, 2, 3, 6, 6, 6, 6)
    calls = [(*arguments, block) for block in (1, 2, 4, 8)] + [(*square, block) for block in (2, 3)]
    assert_same(solution.flash_attention_causal, reference.flash_attention_causal, *calls)


def test_ragged_tiles(solution, reference, rng):
    """Tiles that do not divide T = S

    Guards: queries or keys left out, counted twice or made up at the edges.
    """
    arguments = _inputs(rng, 2, 2, 7, 7, 5, 3)
    calls = [(*arguments, block) for block in (2, 3, 4, 5, 6)]
    assert_same(solution.flash_attention_causal, reference.flash_attention_causal, *calls)


def test_history(solution, reference, rng):
    """Fewer queries than keys: T < S, the diagonal through the corners of tiles and elsewhere

    Guards: positions from 0, history skipped, a triangle for the last tile only, tiles aligned at the last query.
    """
    sizes = ((4, 8, 2), (3, 8, 2), (4, 7, 2), (5, 7, 3), (2, 9, 4), (1, 6, 4), (5, 11, 4), (3, 4, 8))
    calls = [(*_inputs(rng, 2, 3, T, S, 4, 5), block) for T, S, block in sizes]
    assert_same(solution.flash_attention_causal, reference.flash_attention_causal, *calls)


def test_maximum_in_any_tile(solution, reference, rng):
    """The highest score in the first, a middle or the last tile, or hidden

    Guards: one of the sums not rescaled, or by the wrong factor: right while the first tile holds the maximum.
    """
    q, k, v = _inputs(rng, 1, 3, 9, 9, 4, 2)
    q[..., 0], k[..., 0] = 4.0, torch.tensor([[0.0, 1, 2, 3, 4, 5, 6, 7, 8], [8.0, 7, 6, 5, 4, 3, 2, 1, 0], [0.0] * 9])
    k[0, 2, 4, 0] = 9.0
    q[:, :, 1::2, 0] = -4.0  # half of the queries in the other order
    calls = [(q, k, v, block) for block in (1, 2, 3)] + [(q[:, :, 4:], k, v, 2)]
    assert_same(solution.flash_attention_causal, reference.flash_attention_causal, *calls)


def test_zero_scores(solution, reference, rng):
    """A score of exactly zero is a score

    Guards: hidden keys guessed from zeros.
    """
    q, k, v = _inputs(rng, 2, 2, 5, 5, 4, 3)
    q[:, :, 1], k[:, :, 2], v[:, :, 3] = 0.0, 0.0, 0.0
    assert_same(solution.flash_attention_causal, reference.flash_attention_causal, (q, k, v, 2), (q, k, v, 3))


def test_float64(solution, reference, rng):
    """float64 in, float64 accuracy out

    Guards: sums in float32, in either result. D = 7 has a root that no float holds exactly.
    """
    calls = [(*_inputs(rng, 2, 2, T, 6, 7, 5, torch.float64), block) for T, block in ((6, 2), (4, 4))]
    calls = [(8.0 * q, *others) for q, *others in calls]  # wider scores, which show a rounded scale
    assert_same(solution.flash_attention_causal, reference.flash_attention_causal, *calls)


def test_gradients(solution, reference, rng):
    """Gradients of q, k and v, from o and from lse

    Guards: detached steps, in-place steps that autograd refuses.
    """
    sizes = ((7, 7, 2), (7, 7, 9), (4, 7, 3))
    calls = [(*_inputs(rng, 2, 2, T, S, 4, 3, torch.float64), block) for T, S, block in sizes]
    calls.append((*_inputs(rng, 1, 2, 3, 5, 3, 4), 2))
    assert_same(solution.flash_attention_causal, reference.flash_attention_causal, *calls, gradients=True)


def test_half_precision(solution, reference, rng):
    """float16 and bfloat16

    Guards: constants that do not fit, either result of another dtype, the coarser of the two dtypes inside.
    """
    calls = [(*_inputs(rng, 2, 2, 4, 6, 8, 5), 2), (*_inputs(rng, 2, 2, 5, 5, 8, 8), 3)]
    assert_dtypes(solution.flash_attention_causal, reference.flash_attention_causal, *calls, dtypes=HALF)
    q, k, v = _inputs(rng, 2, 2, 16, 16, 8, 15)
    wide = (1.5 * q, k, v, 6)  # wide scores and many of them, which show what bfloat16 loses
    assert_dtypes(solution.flash_attention_causal, reference.flash_attention_causal, wide, dtypes=HALF[:1])


def test_sizes(solution, reference, rng):
    """One query, one key, odd and long sizes, tiles larger than T and S

    Guards: squeezed axes, buffers as long as a tile.
    """
    sizes = ((1, 1, 1, 1, 1, 1, 1), (1, 1, 1, 1, 3, 2, 4), (3, 1, 3, 5, 1, 2, 6), (1, 5, 2, 9, 3, 1, 100))
    sizes = (*sizes, (1, 1, 67, 131, 4, 3, 32), (1, 2, 5, 261, 8, 7, 17), (2, 1, 20, 20, 6, 5, 1))
    calls = [(*_inputs(rng, *size), block) for *size, block in sizes]
    assert_same(solution.flash_attention_causal, reference.flash_attention_causal, *calls)


def test_no_leak(solution, rng):
    """A key does not reach the queries before it

    Guards: leaks inside the tile on the diagonal, where that lies askew.
    """
    q, k, v = _inputs(rng, 1, 2, 5, 8, 4, 3, torch.float64)  # queries stand at positions 3 to 7
    moved_k, moved_v = k.clone(), v.clone()
    moved_k[:, :, 6] = 2 - k[:, :, 6]
    moved_v[:, :, 6] += 1000

    def output(*arguments):
        return solution.flash_attention_causal(*arguments)[0]

    words = {"source": "key 6", "target": "the queries at positions 3, 4 and 5"}
    words |= {"source_zh": "第 6 个键", "target_zh": "位置 3、4、5 的查询"}
    before = (slice(None), slice(None), slice(0, 3))
    assert_independent(output, (q, k, v, 4), (q, moved_k, moved_v, 4), before, **words)


def test_layouts(solution, reference, rng):
    """Strided, expanded and shared inputs

    Guards: views that need contiguous memory, writing into memory that several axes share.
    """
    arguments = (*_inputs(rng, 2, 3, 5, 5, 4, 4), 2)
    assert_layouts(solution.flash_attention_causal, reference.flash_attention_causal, arguments)
    split = [rng.randn(2, T, 3 * D).view(2, T, 3, D).transpose(1, 2) for T, D in ((4, 6), (5, 6), (5, 7))]
    assert_same(solution.flash_attention_causal, reference.flash_attention_causal, (*split, 2))


def test_fresh_data(solution, reference, rng):
    """Other data gives other results, whatever the caller has set

    Guards: sums or masks kept from an earlier call, memory that is never set, a dtype taken from torch's default.
    """
    function, right = solution.flash_attention_causal, reference.flash_attention_causal
    arguments = _inputs(rng, 2, 2, 4, 5, 4, 3)
    assert_repeatable(function, right, (*arguments, 2), (*arguments, 3), (*(x[:, :, -4:] for x in arguments), 2))
    assert_global_state(function, right, (*arguments, 2))


def test_large_scores(solution, reference, rng):
    """Scores of 10000 and -10000 and beyond, values and gradients

    Guards: exp without the query's own maximum of visible scores, a finite number as minus infinity, a maximum that
    starts at one, infinities behind the mask.
    """
    # D = 16 and whole numbers keep every score exact; gaps of 100 and more leave one weight of 1.
    order = rng.permutation(6)
    rising = torch.tensor([-200.0, -150.0, -100.0, 100.0, 150.0, 200.0])  # scores from -10000 to 10000
    low = torch.tensor([210.0, 220.0, 230.0, 240.0, 250.0, 260.0])  # with a negative query all below -10000
    calls = []
    for T, keys in ((6, rising), (4, rising.flip(0)), (6, rising[order]), (4, low), (6, low.flip(0)), (5, low[order])):
        q, k = torch.zeros(1, 2, T, 16), torch.zeros(1, 2, 6, 16)
        q[..., 3] = torch.tensor([[200.0, -200.0, 180.0, -180.0, -200.0, 200.0], [-200.0, 200.0] * 3])[:, :T]
        k[..., 3] = keys
        calls.append((q, k, rng.randn(1, 2, 6, 5), 2))
    assert_same(solution.flash_attention_causal, reference.flash_attention_causal, *calls)
    wide = [cast(call, torch.float64) for call in calls]
    assert_same(solution.flash_attention_causal, reference.flash_attention_causal, *wide, gradients=True)


def test_no_library_attention(solution, reference, rng):
    """Written without library attention

    Guards: library attention reached by another name than its usual one.
    """
    assert_not_used(solution.flash_attention_causal, (*_inputs(rng, 1, 2, 4, 4, 4, 4), 2))


def test_work(solution, rng):
    """Hidden tiles are skipped: T = S with 16 tiles a side, then S = 2 T with 4 by 8

    Guards: skipping that only works without history. 136 of 256 and 26 of 32 tiles are not hidden.
    """
    for T, S, block, low, high in ((128, 128, 8, 0.45, 0.65), (64, 128, 16, 0.70, 0.90)):
        full = 2 * 2 * T * S * (8 + 24)
        call = (*_inputs(rng, 1, 2, T, S, 8, 24), block)
        assert_flops(solution.flash_attention_causal, call, at_least=low * full, at_most=high * full)


def test_memory(solution, rng):
    """Every new tensor is much smaller than T x S numbers

    Guards: all scores at once, also where two tiles hold all queries.
    """
    for T, S, D, block in ((64, 1024, 4, 32), (2048, 2048, 64, 128)):
        call = (*_inputs(rng, 1, 1, T, S, D, D), block)
        assert_new_storage(solution.flash_attention_causal, call, at_most=T * S // 4 * 4 - 1)  # float32: 4 bytes each
