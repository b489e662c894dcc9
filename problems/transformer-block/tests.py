"""Cases of `TransformerBlock`: one part alone by hand, both with random weights, then precision, leaks and limits."""

import math

import torch

from judge.checks import (
    Trial,
    assert_dtypes,
    assert_global_state,
    assert_jacobian,
    assert_layouts,
    assert_no_influence,
    assert_same,
    draw_modules,
    with_weights,
)

HALF = (torch.float16, torch.bfloat16)


def inputs(rng, B=2, T=3, n_heads=2, D=2, d_ff=3, scale=(1.0, 300.0)):
    """One call of these sizes."""
    return Trial("TransformerBlock", scale * rng.randn(B, T, n_heads * D), init=(n_heads * D, n_heads, d_ff))


def draw(solution, reference, rng, *init, dtype=torch.float32):
    """The learner's block and the reference with the same random weights."""
    return draw_modules(solution.TransformerBlock, reference.TransformerBlock, rng, *init, dtype=dtype)


def build(solution, reference, init, dtype=torch.float32, **weights):
    """Both with `weights` (`attn_W_q` for attn.W_q.weight); else norms are ones and matrices the identity."""
    expected = reference.TransformerBlock(*init).to(dtype)
    with torch.no_grad():
        for name, parameter in expected.named_parameters():
            short = name.removesuffix(".weight").replace(".", "_")
            usual = torch.ones(len(parameter)) if parameter.dim() == 1 else torch.eye(*parameter.shape)
            parameter.copy_(weights.get(short, usual))
    return with_weights(solution.TransformerBlock, expected, *init), expected


def test_example_attention(solution, reference):
    """The feed-forward part adds nothing; scores are equal, so attention takes means of normalised tokens"""
    zero, five = torch.zeros(2, 2), torch.full((2,), 5.0)
    weights = {"norm1": five, "attn_W_q": zero, "mlp_w_down": torch.zeros(2, 3)}
    module, expected = build(solution, reference, (2, 1, 3), **weights)
    assert_same(module, expected, (torch.tensor([[[1.0, 7.0], [-5.0, 5.0]]]),))


def test_example_feed_forward(solution, reference):
    """Attention adds nothing; one token through SwiGLU"""
    norm = torch.tensor([5 * math.log(3.0), 5 / 7])
    w_gate = torch.tensor([[1.0, 0.0], [0.0, 0.0], [-1.0, 0.0]])
    w_up = torch.tensor([[0.0, 4.0], [5.0, 5.0], [0.0, 8.0]])
    w_down = torch.tensor([[1.0, 0.0, 0.0], [1.0, 2.0, 1.0]])
    weights = {"attn_W_o": torch.zeros(2, 2), "norm2": norm, "mlp_w_gate": w_gate, "mlp_w_up": w_up}
    module, expected = build(solution, reference, (2, 1, 3), mlp_w_down=w_down, **weights)
    assert_same(module, expected, (torch.tensor([[[1.0, 7.0]]]),))


def test_random_weights(solution, reference, rng):
    """Random weights loaded by name, three heads, several lengths and batches, in training and in evaluation

    Guards: misshapen or shared parameters, parts in another order or place, a mask kept from another length, a cache.
    """
    module, expected = draw(solution, reference, rng, 12, 3, 20)
    calls = [(rng.randn(B, T, 12),) for B, T in ((2, 5), (2, 5), (3, 8), (5, 2), (1, 1), (4, 4))]
    assert_same(module, expected, *calls)
    assert_global_state(module, expected, calls[3])
    assert_same(module.eval(), expected.eval(), *calls)


def test_other_sizes(solution, reference, rng):
    """One head, one channel a head, d_ff smaller than d_model or equal, 150 tokens

    Guards: sizes written into the code, a mask of a fixed length.
    """
    for d_model, n_heads, d_ff in ((5, 1, 7), (6, 6, 6), (8, 2, 1)):
        module, expected = draw(solution, reference, rng, d_model, n_heads, d_ff)
        assert_same(module, expected, (rng.randn(3, 5, d_model),), (rng.randn(1, 150, d_model),))


def test_small_tokens(solution, reference, rng):
    """Tokens about as small as the root of eps, and tokens of zeros

    Guards: another eps, eps outside of the root or left out.
    """
    module, expected = draw(solution, reference, rng, 6, 2, 8)
    x = rng.randn(2, 4, 6)
    x[0, 2] = 0.0
    assert_same(module, expected, (1e-3 * x,), (x,), (0.0 * x,))


def test_gradients(solution, reference, rng):
    """float64 accuracy, gradients of x and of all nine weights

    Guards: a float32 step inside, detached parts, in-place changes of what the backward pass needs, a root of zero.
    """
    module, expected = draw(solution, reference, rng, 10, 2, 6, dtype=torch.float64)  # the root of 5 is inexact
    x = rng.randn(2, 4, 10, dtype=torch.float64)
    empty = x.clone()
    empty[0, 2] = 0.0  # a token of zeros
    assert_same(module, expected, (x,), (x[:1, :1],), (3.0 * x[:, :3],), (empty,), gradients=True)


def test_half_precision(solution, reference, rng):
    """float16 and bfloat16 in, the same dtype out; channels of some hundreds too

    Guards: squares in float16, a constant too large for it, parts computed in the coarser of the two or returned wider.
    """
    module, expected = draw(solution, reference, rng, 12, 3, 8)
    x = rng.randn(2, 4, 12)
    assert_dtypes(module, expected, (x,), (300.0 * x,), dtypes=HALF)


def test_no_leak(solution, reference, rng):
    """A token reaches its own output and later ones, and no other

    Guards: leaks too small for the comparison of values; the Jacobian sees them before rounding does.
    """
    module, expected = draw(solution, reference, rng, 6, 2, 5)
    assert_jacobian(module, expected, (rng.randn(2, 4, 6),))
    x, token, before = rng.randn(2, 6, 6), (slice(None), 4), (slice(None), slice(0, 4))
    words = {"source": "token 4", "target": "the outputs of tokens 0 to 3", "source_zh": "第 4 个词元"}
    words["target_zh"] = "第 0 到 3 个词元的输出"
    assert_no_influence(module, expected, (x,), 0, token, before, **words)


def test_layouts(solution, reference, rng):
    """Strided, transposed and expanded inputs; they stay as they are

    Guards: view on a tensor that is not contiguous, a residual added in place.
    """
    module, expected = draw(solution, reference, rng, 12, 3, 8)
    assert_layouts(module, expected, (rng.randn(2, 5, 12),))
    assert_same(module, expected, (rng.randn(5, 2, 12).transpose(0, 1),))


def test_large_values(solution, reference, rng):
    """Scores and gates of 10000 and -10000, a stream of a million, values and gradients

    Guards: exp without the row's own maximum, a finite number as minus infinity, activations that overflow.
    """
    # Tokens have one channel of 1 or -1, with a mean square of 1/4: scores are far apart or equal.
    signs = torch.tensor([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])[torch.cat([torch.arange(4), 4 + rng.permutation(2)])]
    x = torch.zeros(2, 6, 4)
    x[0, :, 0] = signs
    x[1, :, 1] = signs
    tall = 100 * torch.eye(4)
    weights = {"attn_W_q": -tall, "attn_W_k": tall, "attn_W_v": rng.randn(4, 4), "mlp_w_gate": 5000 * torch.eye(4)}
    for dtype in (torch.float64, torch.float32):
        module, expected = build(solution, reference, (4, 1, 4), dtype, mlp_w_down=0.001 * torch.eye(4), **weights)
        assert_same(module, expected, (x.to(dtype),), (1e6 * x.to(dtype),))
        if dtype is torch.float64:  # gradients pass factors of 10000
            assert_same(module, expected, (x.to(dtype),), gradients=True, tolerance=1e-8)
