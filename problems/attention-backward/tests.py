"""Cases of `attention_backward(q, k, v, grad_out)`. Sizes differ from one another so that no axes can be mixed up."""

import math

import torch
import torch.nn.functional as F

from judge.checks import (
    Trial,
    assert_dtypes,
    assert_global_state,
    assert_layouts,
    assert_not_used,
    assert_repeatable,
    assert_same,
    cast,
    draw_qkv,
)

HALF = (torch.float16, torch.bfloat16)


def draw(rng, B, H, T, S, D, Dv, dtype=torch.float32):
    """Small values and incoming gradients: their products cancel, and ways that are right round differently there."""
    q, k, v = draw_qkv(rng, B, H, T, S, D, Dv, dtype)
    return q, k, 0.5 * v, 0.5 * rng.randn(B, H, T, Dv, dtype=dtype)


def wave(step, *shape):
    """Numbers between -1 and 1."""
    return torch.sin(step * torch.arange(1, math.prod(shape) + 1, dtype=torch.float64)).reshape(shape)


def inputs(rng, B=2, H=2, T=3, S=4, D=3, Dv=3):
    """One call of these sizes; large numbers leave what rounding does to their products, q and k in float32 too."""
    if T > S:
        return None
    q, k, v, grad_out = draw(rng, B, H, T, S, D, Dv)
    if q.dtype is not torch.float64:
        q, k = q.clamp(-2.0, 2.0), k.clamp(-2.0, 2.0)
    return Trial("attention_backward", q, k, v.clamp(-1.0, 1.0), grad_out.clamp(-2.0, 2.0), gradients=False)


def test_example_one_query(solution, reference):
    """One query, two keys, by hand"""
    q, k = torch.tensor([[[[math.log(3.0)]]]]), torch.tensor([[[[1.0], [0.0]]]])
    v, grad_out = torch.tensor([[[[4.0], [0.0]]]]), torch.tensor([[[[1.0]]]])
    assert_same(solution.attention_backward, reference.attention_backward, (q, k, v, grad_out))


def test_example_equal_weights(solution, reference):
    """Two queries, two keys, all weights one half"""
    q = torch.tensor([[[[2.0, 0.0, 0.0, 0.0], [0.0, 4.0, 0.0, 0.0]]]])
    k = torch.tensor([[[[0.0, 0.0, 2.0, 0.0], [0.0, 0.0, 0.0, 6.0]]]])
    v, grad_out = torch.tensor([[[[1.0, 0.0], [3.0, 8.0]]]]), torch.tensor([[[[2.0, 0.0], [0.0, 1.0]]]])
    assert_same(solution.attention_backward, reference.attention_backward, (q, k, v, grad_out))


def test_values(solution, reference, rng):
    """Random values, several heads

    Guards: each of the three gradients, the scale in both directions, the sum over a row's weights, a causal mask.
    """
    sizes = [(2, 3, 4, 6, 8, 5), (3, 2, 5, 5, 4, 7), (4, 4, 4, 4, 4, 4), (2, 2, 3, 7, 1, 2)]
    assert_same(solution.attention_backward, reference.attention_backward, *(draw(rng, *size) for size in sizes))


def test_zeros(solution, reference, rng):
    """Queries, keys, values or incoming gradients of zeros

    Guards: zeros taken for hidden, gradients that do not use what comes in.
    """
    calls = [list(draw(rng, 2, 2, 3, 4, 5, 2)) for _ in range(5)]
    for number in range(4):
        calls[number][number] = 0.0 * calls[number][number]
    calls[4][0][:, :, 1], calls[4][1][:, :, 2], calls[4][2][:, :, 3], calls[4][3][:, :, 0] = 0.0, 0.0, 0.0, 0.0
    assert_same(solution.attention_backward, reference.attention_backward, *(tuple(call) for call in calls))


def test_linear(solution, reference, rng):
    """Three times the incoming gradient gives three times each gradient

    Guards: gradients scaled or normalised by the size of something, a loss assumed in place of grad_out.
    """
    q, k, v, grad_out = draw(rng, 1, 2, 3, 5, 4, 3)
    calls = [(q, k, v, factor * grad_out) for factor in (3.0, -1.0, 0.01)]
    assert_same(solution.attention_backward, reference.attention_backward, *calls)


def test_float64(solution, reference, rng):
    """float64 in, float64 accuracy out

    Guards: a float32 step inside, gradients by finite differences, rows taken for one-hot. D = 7 has a root that no
    float holds exactly.
    """
    q, k, v, grad_out = draw(rng, 2, 2, 4, 6, 7, 5, torch.float64)
    sure_q, sure_k = q.clone(), k.clone()  # the first key leads by about 18: small gradients, but no zeros
    sure_q[..., 0], sure_k[..., 0] = 7**0.5, 0.0
    sure_k[:, :, 0, 0] = 18.0
    calls = [(q, k, v, grad_out), (4.0 * q, k, v, grad_out)]  # wide scores, which show a rounded scale
    calls.append((sure_q, sure_k, v, grad_out))
    assert_same(solution.attention_backward, reference.attention_backward, *calls)


def test_half_precision(solution, reference, rng):
    """float16 and bfloat16 in, the same dtype out

    Guards: results of another dtype, the coarser of the two dtypes inside.
    """
    function, right = solution.attention_backward, reference.attention_backward
    q, k, v, grad_out = draw(rng, 2, 3, 4, 6, 8, 5)
    assert_dtypes(function, right, (q, k, v, grad_out), dtypes=HALF)
    # always the same numbers: here bfloat16 is off by several times the tolerance, and float16 by a third of it
    q, k, v = 2.0 * wave(1.7, 2, 3, 4, 8), 2.0 * wave(2.3, 2, 3, 6, 8), 2.0 * wave(0.9, 2, 3, 6, 5)
    assert_dtypes(function, right, (q, k, v, 2.0 * wave(1.1, 2, 3, 4, 5)), dtypes=HALF[:1])


def test_sizes(solution, reference, rng):
    """One query, one key, one channel, odd and longer sizes

    Guards: squeezed axes, blocks without their ragged rest. With a single key, dq and dk are zero.
    """
    sizes = [(1, 1, 1, 1, 1, 1), (3, 2, 1, 1, 4, 5), (1, 2, 1, 5, 3, 1), (3, 1, 3, 3, 1, 17), (1, 1, 37, 70, 5, 3)]
    assert_same(solution.attention_backward, reference.attention_backward, *(draw(rng, *size) for size in sizes))


def test_layouts(solution, reference, rng):
    """Strided, expanded and shared inputs; they stay as they are

    Guards: views that need contiguous memory, grad_out scaled in place.
    """
    call = tuple(0.5 * tensor for tensor in draw(rng, 2, 3, 5, 5, 4, 4))
    assert_layouts(solution.attention_backward, reference.attention_backward, call)
    sizes = ((4, 6), (5, 6), (5, 7), (4, 7))
    split = [0.5 * rng.randn(2, T, 3 * D).view(2, T, 3, D).transpose(1, 2) for T, D in sizes]
    summed = torch.ones(1).expand(2, 3, 4, 7)  # the gradient of a sum
    calls = [tuple(split), (*split[:3], summed)]
    assert_same(solution.attention_backward, reference.attention_backward, *calls)


def test_fresh_data(solution, reference, rng):
    """Other data gives other gradients, whatever the caller has set

    Guards: weights kept from an earlier call, gradients that accumulate, a dtype taken from torch's default.
    """
    q, k, v, grad_out = draw(rng, 2, 2, 3, 5, 4, 3)
    calls = [(q, k, v, grad_out), (q, k, v, grad_out.flip(2)), (q, k.flip(2), v, grad_out)]
    assert_repeatable(solution.attention_backward, reference.attention_backward, *calls)
    assert_global_state(solution.attention_backward, reference.attention_backward, calls[0])


def test_large_scores(solution, reference, rng):
    """Scores of 20000 and -20000

    Guards: exp without the row's own maximum, a division by weights of zero.
    """
    # Scores lie 5000 apart, all numbers are whole, and one key has all the weight, or two in float64 have half of it.
    # Queries of one head want opposite ends, so their maxima differ.
    apart = torch.tensor([-200.0, -100.0, -150.0, 200.0, 100.0, 150.0], dtype=torch.float64)
    pairs = torch.tensor([-200.0, -100.0, -200.0, 200.0, 100.0, 200.0], dtype=torch.float64)
    calls = []
    for level in (apart, apart[rng.permutation(6)], apart - 400.0, pairs):
        key = level.view(1, 1, 6, 1).repeat(1, 2, 1, 1)
        signs = torch.tensor([[1.0, -1.0, -1.0, 1.0], [-1.0, -1.0, 1.0, -1.0]], dtype=torch.float64)
        query = 400.0 * signs.view(1, 2, 4, 1)
        q, k = (F.pad(x, (0, 15)) for x in (query, key))
        v, grad_out = (rng.integers(-3, 4, 1, 2, n, 4).double() for n in (6, 4))
        calls.append((q, k, v, grad_out))
    # The logsumexp of two scores of 20000 is exact to 12 digits in float64 and to 3 in float32.
    assert_same(solution.attention_backward, reference.attention_backward, *calls, tolerance=1e-8)
    narrow = [cast(call, torch.float32) for call in calls[:3]]
    assert_same(solution.attention_backward, reference.attention_backward, *narrow)


def test_by_hand(solution, reference, rng):
    """Written by hand: no autograd, no backward operator of the library

    Guards: library gradients reached as an operator, nodes of a recorded graph.
    """
    assert_not_used(solution.attention_backward, draw(rng, 1, 2, 3, 4, 4, 4))
