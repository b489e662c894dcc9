"""Cases of `mla_attention`. Sizes differ from one another so that no axes can be mixed up."""

import math

import torch
import torch.nn.functional as F

from judge.checks import (
    Trial,
    assert_dtypes,
    assert_global_state,
    assert_jacobian,
    assert_layouts,
    assert_repeatable,
    assert_same,
    cast,
)

HALF = (torch.float16, torch.bfloat16)


def draw(rng, B, H, T, S, d_nope, d_rope, Dv, dtype=torch.float32):
    q_nope, q_rope = rng.randn(B, H, T, d_nope, dtype=dtype), rng.randn(B, H, T, d_rope, dtype=dtype)
    k_nope, k_rope = rng.randn(B, H, S, d_nope, dtype=dtype), rng.randn(B, 1, S, d_rope, dtype=dtype)
    return q_nope, q_rope, k_nope, k_rope, rng.randn(B, H, S, Dv, dtype=dtype)


def wave(step, *shape):
    """Numbers between -1 and 1."""
    return torch.sin(step * torch.arange(1, math.prod(shape) + 1, dtype=torch.float64)).reshape(shape)


def inputs(rng, B=2, H=2, T=3, S=4, d_nope=3, d_rope=2, Dv=3, kv_rank=16):
    """One call of these sizes."""
    return Trial("mla_attention", *draw(rng, B, H, T, S, d_nope, d_rope, Dv), kv_rank) if T <= S else None


def test_example_two_heads(solution, reference):
    """One query, two keys: one head scores by content, the other by position"""
    q_nope = torch.tensor([[[[2.0, 0.0, 0.0]], [[0.0, 0.0, 0.0]]]])
    q_rope = torch.tensor([[[[0.0]], [[2.0]]]])
    k_nope = torch.tensor([[0.0, 0.0, 0.0], [math.log(3.0), 0.0, 0.0]]).repeat(1, 2, 1, 1)
    k_rope = torch.tensor([[[[0.0], [math.log(2.0)]]]])
    v = torch.tensor([[[[8.0], [4.0]], [[9.0], [6.0]]]])
    assert_same(solution.mla_attention, reference.mla_attention, (q_nope, q_rope, k_nope, k_rope, v, 16))


def test_example_history(solution, reference):
    """Two new queries after one older key, all scores equal"""
    q_nope, q_rope = torch.zeros(1, 1, 2, 3), torch.zeros(1, 1, 2, 1)
    k_nope, k_rope = torch.ones(1, 1, 3, 3), torch.ones(1, 1, 3, 1)
    v = torch.tensor([[[[2.0, 0.0], [4.0, 0.0], [9.0, 6.0]]]])
    assert_same(solution.mla_attention, reference.mla_attention, (q_nope, q_rope, k_nope, k_rope, v, 16))


def test_values(solution, reference, rng):
    """Random values, several heads, T = S

    Guards: the scale, the axis of the softmax, rotated keys of another sequence, the width of v.
    """
    sizes = [(2, 3, 5, 5, 4, 2, 7), (3, 3, 4, 4, 6, 3, 5), (2, 4, 4, 4, 4, 4, 4), (3, 2, 6, 6, 2, 5, 4)]
    calls = [(*draw(rng, *size), rank) for size, rank in zip(sizes, (32, 9, 4, 1), strict=True)]
    assert_same(solution.mla_attention, reference.mla_attention, *calls)


def test_latent_width(solution, reference, rng):
    """The same tensors with latents of other widths give the same result

    Guards: a scale that knows the latent, also where it is as wide as the scores need it to be.
    """
    tensors = draw(rng, 1, 2, 4, 4, 5, 3, 4)
    assert_same(solution.mla_attention, reference.mla_attention, *((*tensors, rank) for rank in (1, 5, 8, 512)))


def test_history(solution, reference, rng):
    """Fewer queries than keys: T < S

    Guards: the shift of the diagonal, keys cut to the newest.
    """
    sizes = [(T, S) for S in range(2, 6) for T in range(1, S)] + [(3, 11), (8, 9)]
    calls = [(*draw(rng, 2, 3, T, S, 4, 3, 5), 16) for T, S in sizes]
    assert_same(solution.mla_attention, reference.mla_attention, *calls)


def test_zero_scores(solution, reference, rng):
    """A part of zeros, or a score of exactly zero, hides nothing

    Guards: the mask guessed from zeros, in the sum or in one of its parts.
    """
    calls = []
    for T in (4, 5):
        q_nope, q_rope, k_nope, k_rope, v = draw(rng, 2, 3, T, 5, 4, 2, 3)
        q_nope[:, :, 1], q_rope[:, :, 2] = 0.0, 0.0
        k_nope[:, :, :2], k_rope[:, :, 1:3], v[:, :, 3] = 0.0, 0.0, 0.0
        calls.append((q_nope, q_rope, k_nope, k_rope, v, 16))
    assert_same(solution.mla_attention, reference.mla_attention, *calls)


def test_float64(solution, reference, rng):
    """float64 in, float64 accuracy out

    Guards: a float32 step inside. The widths 4 and 3 sum to 7, whose root no float holds exactly.
    """
    calls = []
    for T in (4, 6):
        q_nope, q_rope, *others = draw(rng, 2, 2, T, 6, 4, 3, 5, torch.float64)
        calls.append((8.0 * q_nope, 8.0 * q_rope, *others, 16))  # wide scores, which show a rounded scale
    assert_same(solution.mla_attention, reference.mla_attention, *calls)


def test_gradients(solution, reference, rng):
    """Gradients of all five tensors

    Guards: a detached part, in-place steps; the gradient of the shared k_rope is a sum over the heads.
    """
    sizes = [(2, 3, 4, 4, 4, 2, 5), (1, 2, 3, 5, 2, 3, 4), (2, 3, 1, 4, 5, 1, 2)]
    calls = [(*draw(rng, *size, torch.float64), 16) for size in sizes]
    assert_same(solution.mla_attention, reference.mla_attention, *calls, gradients=True)


def test_half_precision(solution, reference, rng):
    """float16 and bfloat16 in, the same dtype out

    Guards: constants that do not fit, results of another dtype, the coarser of the two dtypes inside.
    """
    function, right = solution.mla_attention, reference.mla_attention
    assert_dtypes(function, right, *((*draw(rng, 2, 3, T, 6, 6, 2, 5), 16) for T in (3, 6)), dtypes=HALF)
    # always the same numbers: here bfloat16 is off by twice the tolerance, and float16 by a quarter of it
    q_nope, k_nope = 4.0 * wave(1.7, 2, 3, 4, 6), 1.5 * wave(2.3, 2, 3, 6, 6)
    q_rope, k_rope = 4.0 * wave(1.3, 2, 3, 4, 2), 1.5 * wave(3.1, 2, 1, 6, 2)
    assert_dtypes(function, right, (q_nope, q_rope, k_nope, k_rope, 2.0 * wave(0.9, 2, 3, 6, 5), 16), dtypes=HALF[:1])


def test_sizes(solution, reference, rng):
    """One token, one head, one channel, odd and long sizes

    Guards: squeezed axes, masks of a fixed length.
    """
    sizes = [(1, 1, 1, 1, 1, 1, 1), (1, 2, 3, 3, 1, 9, 1), (3, 1, 2, 5, 17, 1, 3), (1, 5, 1, 7, 3, 3, 2)]
    calls = [(*draw(rng, *size), 16) for size in [*sizes, (1, 1, 37, 150, 4, 3, 2)]]
    assert_same(solution.mla_attention, reference.mla_attention, *calls)


def test_no_leak(solution, reference, rng):
    """Every query reads its own and older positions, in both parts of the keys and in v

    Guards: leaks too small for the comparison of values; the Jacobian sees them before rounding does.
    """
    call = (*draw(rng, 2, 2, 2, 4, 3, 2, 3), 16)
    assert_jacobian(solution.mla_attention, reference.mla_attention, call, argument=(0, 1, 2, 3, 4))


def test_layouts(solution, reference, rng):
    """Strided, expanded and shared inputs; they stay as they are

    Guards: views that need contiguous memory, inputs scaled in place.
    """
    assert_layouts(solution.mla_attention, reference.mla_attention, (*draw(rng, 2, 3, 5, 5, 4, 2, 4), 16))
    q, kv = rng.randn(2, 5, 3, 6).transpose(1, 2), rng.randn(2, 5, 3, 9).transpose(1, 2)  # as projections give them
    k_rope = rng.randn(2, 5, 10)[..., -2:].unsqueeze(1)
    split = (*q.split((4, 2), dim=-1), kv[..., :4], k_rope, kv[..., 4:], 8)
    assert_same(solution.mla_attention, reference.mla_attention, split)


def test_fresh_data(solution, reference, rng):
    """Other data or another history gives other results, whatever the caller has set

    Guards: a mask or results kept from an earlier call, memory that is never set, a dtype taken from torch's default.
    """
    q_nope, q_rope, k_nope, k_rope, v = draw(rng, 2, 2, 5, 6, 4, 2, 4)
    short = (q_nope[:, :, :2], q_rope[:, :, :2], k_nope[:, :, :4], k_rope[:, :, :4], v[:, :, :4], 16)
    calls = [(q_nope, q_rope, k_nope, k_rope, v, 16), (*short[:2], k_nope, k_rope, v, 16), short]
    assert_repeatable(solution.mla_attention, reference.mla_attention, *calls)
    assert_global_state(solution.mla_attention, reference.mla_attention, calls[1])


def test_large_scores(solution, reference, rng):
    """Scores of 10000 and -10000, values and gradients

    Guards: exp without the row's own visible maximum, a finite number as minus infinity, parts that overflow apart.
    """
    # Whole numbers and a width of 12 + 4 keep the scores exact and 5000 apart, so that rounding cannot choose.
    levels = 50.0 * torch.tensor([-4.0, -3.0, -2.0, 2.0, 3.0, 4.0], dtype=torch.float64)
    v = rng.randn(1, 2, 6, 3, dtype=torch.float64)
    calls = []
    for level in (levels, levels[rng.permutation(6)]):
        key = level.view(1, 1, 6, 1).repeat(1, 2, 1, 1)
        query = torch.tensor([400.0, -400.0], dtype=torch.float64).view(1, 2, 1, 1).repeat(1, 1, 6, 1)
        (q_nope, k_nope), (q_rope, k_rope) = ([F.pad(x, (0, n)) for x in (query, key)] for n in (11, 3))
        content = (q_nope, 0 * q_rope, k_nope, k_rope[:, :1], v, 16)
        position = (0 * q_nope, q_rope, k_nope, k_rope[:, :1], v, 16)
        opposed = (q_nope, q_rope, k_nope, -k_rope[:, :1], v, 16)  # the parts cancel
        calls += [content, position, opposed, (q_nope[:, :, -3:], 0 * q_rope[:, :, -3:], *content[2:])]
    assert_same(solution.mla_attention, reference.mla_attention, *calls, gradients=True)
    assert_same(solution.mla_attention, reference.mla_attention, *(cast(call, torch.float32) for call in calls))
