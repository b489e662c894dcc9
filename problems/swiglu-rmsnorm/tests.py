"""Cases of `rms_norm(x, weight, eps)` and `swiglu(x, w_gate, w_up, w_down)`, one after the other."""

import math

import torch

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
AXES = ((), (3,), (2, 5), (2, 3, 4))
"""What stands before the last dimension of x."""


def draw_norm(rng, *lead, d=6, dtype=torch.float32):
    return rng.randn(*lead, d, dtype=dtype), rng.randn(d, dtype=dtype)


def draw_ffn(rng, *lead, d=4, d_ff=7, dtype=torch.float32):
    """Weights that keep activations at ordinary size."""
    x = rng.randn(*lead, d, dtype=dtype)
    w_gate, w_up = d**-0.5 * rng.randn(2, d_ff, d, dtype=dtype)
    return x, w_gate, w_up, d_ff**-0.5 * rng.randn(d, d_ff, dtype=dtype)


def wave(step, *shape):
    """Numbers between -1 and 1."""
    return torch.sin(step * torch.arange(1, math.prod(shape) + 1, dtype=torch.float64)).reshape(shape)


def inputs(rng, B=2, T=2, d=3, d_ff=4, part=("rms_norm", "swiglu", "default eps", "one axis", "large")):
    """One call of these sizes."""
    if part == "default eps":
        return Trial("rms_norm", *draw_norm(rng, B, T, d=d))
    if part != "swiglu":
        x, weight = draw_norm(rng, *(() if part == "one axis" else (B, T)), d=d)
        return Trial("rms_norm", 300.0 * x if part == "large" else x, weight, 0.25)
    return Trial("swiglu", *draw_ffn(rng, B, T, d=d, d_ff=d_ff))


def test_example_rms_norm(solution, reference):
    """Two channels with a root mean square of 5"""
    x, weight = torch.tensor([[1.0, 7.0], [-5.0, 5.0]]), torch.tensor([10.0, 5.0])
    assert_same(solution.rms_norm, reference.rms_norm, (x, weight))


def test_example_eps(solution, reference):
    """A mean square of 5 and an eps of 4"""
    assert_same(solution.rms_norm, reference.rms_norm, (torch.tensor([[3.0, 1.0]]), torch.tensor([6.0, 9.0]), 4.0))


def test_example_swiglu(solution, reference):
    """One token of two channels, three hidden ones"""
    x = torch.tensor([[math.log(3.0), 1.0]])
    w_gate = torch.tensor([[1.0, 0.0], [0.0, 0.0], [-1.0, 0.0]])
    w_up = torch.tensor([[0.0, 4.0], [5.0, 5.0], [0.0, 8.0]])
    w_down = torch.tensor([[1.0, 0.0, 0.0], [1.0, 2.0, 1.0]])
    assert_same(solution.swiglu, reference.swiglu, (x, w_gate, w_up, w_down))


def test_rms_norm_values(solution, reference, rng):
    """rms_norm of random values with zero to three axes before the channels

    Guards: a mean over tokens or over everything, a mean that is subtracted, the weight in another place.
    """
    calls = [draw_norm(rng, *lead) for lead in AXES]
    calls += [draw_norm(rng, 5, 5, d=5), tuple(3.0 + t for t in draw_norm(rng, 2, 4))]
    assert_same(solution.rms_norm, reference.rms_norm, *calls)


def test_rms_norm_eps(solution, reference, rng):
    """Small, zero and ordinary rows under several eps, given or not

    Guards: eps outside of the root, as a lower bound, of another default, or left out.
    """
    x, weight = draw_norm(rng, 3, 4)
    small = 1e-3 * x  # mean squares about as large as the default eps
    calls = [(small, weight), (0.0 * x, weight), (x, weight, 0.5), (x, weight, 2.0), (small, weight, 1e-5)]
    assert_same(solution.rms_norm, reference.rms_norm, *calls, (100.0 * x, weight, 1e-12))


def test_swiglu_values(solution, reference, rng):
    """swiglu of random values with zero to three axes before the channels

    Guards: another activation, gate and up swapped, weights transposed where d and d_ff are equal.
    """
    calls = [draw_ffn(rng, *lead) for lead in AXES]
    calls += [draw_ffn(rng, 2, 3, d=5, d_ff=5), draw_ffn(rng, 4, d=6, d_ff=3)]
    assert_same(solution.swiglu, reference.swiglu, *calls)


def test_float64(solution, reference, rng):
    """float64 in, float64 accuracy out

    Guards: a float32 step inside.
    """
    x, weight = draw_norm(rng, 2, 5, dtype=torch.float64)
    assert_same(solution.rms_norm, reference.rms_norm, (x, weight), (1e-3 * x, weight), (x, weight, 0.1))
    assert_same(solution.swiglu, reference.swiglu, draw_ffn(rng, 2, 5, dtype=torch.float64))


def test_gradients(solution, reference, rng):
    """Gradients of all tensors

    Guards: a detached root mean square, weight or gate, in-place steps that autograd refuses, a root of zero.
    """
    x, weight = draw_norm(rng, 2, 3, dtype=torch.float64)
    empty = x.clone()
    empty[0, 1] = 0.0  # a token of zeros
    norms = [(x, weight), (1e-3 * x, weight), (x, weight, 0.5), (empty, weight)]
    assert_same(solution.rms_norm, reference.rms_norm, *norms, gradients=True)
    products = [draw_ffn(rng, *lead, dtype=torch.float64) for lead in AXES[1:]]
    assert_same(solution.swiglu, reference.swiglu, *products, gradients=True)


def test_half_rms_norm(solution, reference, rng):
    """rms_norm of float16 and bfloat16: ordinary, large and small values, the same dtype out

    Guards: squares in float16, which overflow from 256 on and vanish below 0.0002, products of large channels and
    weights, results left in float32.
    """
    x, weight = draw_norm(rng, 2, 4, d=8)
    calls = [(x, weight), (1000.0 * x, weight), (1e-3 * x, weight), (1e-4 * x, weight)]
    calls.append(((4000.0 * x).clamp(-8000.0, 8000.0), 30.0 * weight))
    assert_dtypes(solution.rms_norm, reference.rms_norm, *calls, dtypes=HALF)


def test_half_swiglu(solution, reference, rng):
    """swiglu of float16 and bfloat16, the same dtype out

    Guards: results left in float32, the coarser of the two dtypes inside.
    """
    assert_dtypes(solution.swiglu, reference.swiglu, draw_ffn(rng, 2, 4, d=8, d_ff=12), dtypes=HALF)
    # always the same numbers: here bfloat16 is off by several times the tolerance
    call = (4.0 * wave(1.7, 3, 8), wave(2.3, 12, 8), wave(0.9, 12, 8), 0.5 * wave(1.3, 8, 12))
    assert_dtypes(solution.swiglu, reference.swiglu, call, dtypes=HALF[:1])


def test_sizes(solution, reference, rng):
    """One channel, one hidden channel, one token, odd and longer sizes

    Guards: squeezed axes, a width written into the code.
    """
    norms = [draw_norm(rng, *lead, d=d) for lead, d in (((1, 1), 1), ((2, 1), 7), ((1, 5), 1), ((1, 3), 300))]
    assert_same(solution.rms_norm, reference.rms_norm, *norms)
    sizes = (((1, 1), 1, 1), ((1, 3), 5, 1), ((2, 1), 1, 9), ((1, 130), 3, 40))
    products = [draw_ffn(rng, *lead, d=d, d_ff=d_ff) for lead, d, d_ff in sizes]
    assert_same(solution.swiglu, reference.swiglu, *products)


def test_tokens_apart(solution, reference, rng):
    """Every token is computed from itself alone

    Guards: a little of the other tokens; the Jacobian sees what rounding hides.
    """
    x, weight = draw_norm(rng, 2, 4)
    assert_jacobian(solution.rms_norm, reference.rms_norm, (x, weight))
    assert_jacobian(solution.swiglu, reference.swiglu, draw_ffn(rng, 2, 4))


def test_layouts(solution, reference, rng):
    """Strided, transposed and expanded inputs; they stay as they are

    Guards: views that need contiguous memory, inputs changed in place.
    """
    assert_layouts(solution.rms_norm, reference.rms_norm, draw_norm(rng, 3, 5))
    assert_layouts(solution.swiglu, reference.swiglu, draw_ffn(rng, 3, 5, d=5, d_ff=5))
    x, *weights = draw_ffn(rng, 5, 3)
    assert_same(solution.swiglu, reference.swiglu, (x.transpose(0, 1), *weights))


def test_fresh_data(solution, reference, rng):
    """Other data gives other results, whatever the caller has set

    Guards: weights, eps or results kept from an earlier call, a dtype taken from torch's default.
    """
    x, weight = draw_norm(rng, 2, 3)
    norms, products = [(x, weight, 0.5), (x, weight)], [draw_ffn(rng, 2, 3)]
    assert_repeatable(solution.rms_norm, reference.rms_norm, *norms)
    assert_repeatable(solution.swiglu, reference.swiglu, *products)
    assert_global_state(solution.rms_norm, reference.rms_norm, norms[1])
    assert_global_state(solution.swiglu, reference.swiglu, products[0])


def test_large_values(solution, reference, rng):
    """Gates of 10000 and -10000, channels of a million, values and gradients

    Guards: an activation whose exponential overflows, clamped values.
    """
    eye = torch.eye(4, dtype=torch.float64)
    x = torch.tensor([[1.0, -1.0, 0.05, -0.05], [-0.01, 0.002, 0.0, 0.5]], dtype=torch.float64)
    calls = [(x, 1e4 * eye, rng.randn(4, 4, dtype=torch.float64), 1e-3 * eye)]
    norms = [(1e6 * x, torch.ones(4, dtype=torch.float64)), (1e6 * x[:1], rng.randn(4, dtype=torch.float64))]
    for dtype in (torch.float64, torch.float32):
        products = [cast(call, dtype) for call in calls]
        assert_same(solution.swiglu, reference.swiglu, *products, gradients=True)
        assert_same(solution.rms_norm, reference.rms_norm, *(cast(call, dtype) for call in norms))
