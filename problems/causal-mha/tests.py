"""Causal multi-head attention: weights by name, padding, gradients, leaks and limits."""

import math

import torch

from judge.checks import (
    Trial,
    assert_dtypes,
    assert_global_state,
    assert_layouts,
    assert_no_influence,
    assert_not_used,
    assert_same,
    shown_stages,
    with_weights,
)

HALF = (torch.float16, torch.bfloat16)


def inputs(rng, B=2, T=4, n_heads=2, D=3, padding=("none", "right", "left", "middle")):
    """One call of these sizes."""
    x = rng.randn(B, T, n_heads * D)
    if padding == "none":
        return Trial("CausalMultiHeadAttention", x, init=(n_heads * D, n_heads))
    padded = torch.zeros(B, T, dtype=torch.bool)
    padded[-1, {"right": T - 1, "left": 0, "middle": T // 2}[padding]] = True  # other rows have none
    seen = not padded[:, 0].any()  # else the first query sees no key
    return Trial("CausalMultiHeadAttention", x, padded, init=(n_heads * D, n_heads), gradients=bool(seen))


def build(solution, reference, d_model, n_heads, weights, dtype=torch.float32):
    """The learner's module and the reference, both with `weights` (one tensor for each of W_q, W_k, W_v, W_o)."""
    expected = reference.CausalMultiHeadAttention(d_model, n_heads).to(dtype)
    with torch.no_grad():
        for name, weight in zip(("W_q", "W_k", "W_v", "W_o"), weights, strict=True):
            getattr(expected, name).weight.copy_(weight)
    return with_weights(solution.CausalMultiHeadAttention, expected, d_model, n_heads), expected


def draw(solution, reference, rng, d_model=12, n_heads=3, dtype=torch.float32):
    """Both modules with random weights that keep activations at ordinary size."""
    weights = rng.randn(4, d_model, d_model, dtype=torch.float64) / d_model**0.5
    return build(solution, reference, d_model, n_heads, weights, dtype)


def stages(module, x, key_padding_mask=None):
    """What a learner is shown of a failing call."""
    q, k = (w(x).unflatten(-1, (module.n_heads, -1)).transpose(1, 2) for w in (module.W_q, module.W_k))
    seen = torch.ones(x.size(1), x.size(1), dtype=torch.bool).tril()
    if key_padding_mask is not None:
        seen = seen & ~key_padding_mask[:, None, None, :]
    return shown_stages(q @ k.mT / math.sqrt(q.size(-1)), seen)


def test_example_equal_scores(solution, reference):
    """W_q is zero, so all scores are equal: each output is the mean of the tokens so far"""
    one = torch.eye(4)
    module, expected = build(solution, reference, 4, 2, (0 * one, one, one, one))
    x = torch.tensor([[[1.0, 2.0, 3.0, 4.0], [3.0, 4.0, 5.0, 6.0], [5.0, 6.0, 1.0, 2.0]]])
    assert_same(module, expected, (x,))


def test_example_two_heads(solution, reference):
    """All weights are the identity: two heads with scores of their own"""
    one = torch.eye(6)
    module, expected = build(solution, reference, 6, 2, (one, one, one, one))
    x = torch.tensor([[[1.0, 0.0, 0.0, 0.0, 1.0, 2.0], [0.0, 1.0, 2.0, 1.0, 1.0, 0.0], [1.0, 1.0, 2.0, 2.0, 0.0, 0.0]]])
    assert_same(module, expected, (x,))


def test_example_padding(solution, reference):
    """Equal scores, first row padded on the left, second row on the right"""
    one = torch.eye(4)
    module, expected = build(solution, reference, 4, 2, (0 * one, one, one, one))
    row = torch.tensor([[1.0, 2.0, 3.0, 4.0], [3.0, 4.0, 5.0, 6.0], [5.0, 6.0, 1.0, 2.0]])
    padding = torch.tensor([[True, False, False], [False, False, True]])
    assert_same(module, expected, (torch.stack([row, row]), padding))


def test_random_weights(solution, reference, rng):
    """Random weights loaded by name, three heads, several lengths, in training and in evaluation

    Guards: misshapen or shared parameters, matrices in each other's place, a mask kept from another length, a dtype
    taken from torch's default, a cache of earlier calls.
    """
    module, expected = draw(solution, reference, rng)
    calls = [(rng.randn(B, T, 12),) for B, T in ((2, 5), (2, 5), (3, 8), (1, 1), (4, 3))]
    assert_same(module, expected, *calls)
    assert_global_state(module, expected, calls[-1])
    assert_same(module.eval(), expected.eval(), *calls)


def test_gradients(solution, reference, rng):
    """float64 accuracy, gradients of x and of all four weights

    Guards: a float32 step inside, detached parts, in-place changes of what the backward pass needs.
    """
    module, expected = draw(solution, reference, rng, 10, 2, torch.float64)  # no float holds the root of 5 exactly
    padding = torch.tensor([[False, False, False, False, True], [False, True, False, True, False]])
    calls = [(rng.randn(2, 5, 10, dtype=torch.float64), mask) for mask in (None, padding)]
    assert_same(module, expected, *calls, gradients=True)


def test_half_precision(solution, reference, rng):
    """float16 and bfloat16 in, the same dtype out

    Guards: a constant too large for float16, parts computed in float32 or in the coarser of the two, or returned so.
    """
    padding = torch.tensor([[False, False, False, True], [True, False, False, False]])
    module, expected = draw(solution, reference, rng)
    x = 1.5 * rng.randn(2, 4, 12)  # wider scores, which show what bfloat16 loses
    assert_dtypes(module, expected, (x,), (x, padding), dtypes=HALF)


def test_left_padding(solution, reference, rng):
    """Padding on the left: a query that sees no key gives zeros

    Guards: NaN rows, rows that average over padding, rows that fall back to themselves.
    """
    module, expected = draw(solution, reference, rng)
    padding = torch.tensor([[True, True, False, False, False], [False] * 5, [True] * 5])
    assert_same(module, expected, (rng.randn(3, 5, 12), padding))


def test_padding_anywhere(solution, reference, rng):
    """Padding on the right and in the middle, another in each row, and then none

    Guards: padding of one row or head used for others, padded queries treated specially, padding kept.
    """
    module, expected = draw(solution, reference, rng)
    right = torch.tensor(
        [[False] * 6, [False, False, False, False, True, True], [False, False, True, True, True, True]]
    )
    middle = rng.mask(3, 6)
    middle[:, 0], middle[0, 1], middle[2] = False, True, False  # a last row without padding below one that has some
    x = rng.randn(3, 6, 12)
    assert_same(module, expected, (x, right), (x, middle), (x, torch.zeros(3, 6, dtype=torch.bool)), (x,))


def test_head_counts(solution, reference, rng):
    """One head, one channel a head, odd sizes

    Guards: sizes written into the code, squeezed dimensions, one token that is padding.
    """
    alone = torch.tensor([[True]])
    for d_model, n_heads in ((5, 1), (7, 7)):
        module, expected = draw(solution, reference, rng, d_model, n_heads)
        x = rng.randn(1, 1, d_model)
        assert_same(module, expected, (rng.randn(3, 5, d_model),), (x,), (x, alone))


def test_no_leak_from_future(solution, reference, rng):
    """A token does not influence the outputs before it

    Guards: leaks too small for the comparison of values; the Jacobian sees them before rounding does.
    """
    module, expected = draw(solution, reference, rng, dtype=torch.float64)
    x = rng.randn(2, 6, 12, dtype=torch.float64)
    past, future = (slice(None), slice(0, 4)), (slice(None), slice(4, None))
    words = {"source": "tokens 4 and 5", "target": "the outputs of tokens 0 to 3"}
    words |= {"source_zh": "第 4、5 个词元", "target_zh": "第 0 到 3 个词元的输出"}
    assert_no_influence(module, expected, (x,), 0, future, past, **words)


def test_no_leak_from_padding(solution, reference, rng):
    """Padded tokens do not influence the other outputs

    Guards: padding hidden by a small negative number, or hidden from some rows only.
    """
    module, expected = draw(solution, reference, rng, dtype=torch.float64)
    x = rng.randn(2, 6, 12, dtype=torch.float64)
    padding = torch.tensor([[False, False, False, False, True, True], [False, True, False, False, True, False]])
    words = {"source": "a padded token", "target": "the outputs of the tokens that are not padding"}
    words |= {"source_zh": "填充词元", "target_zh": "非填充词元的输出"}
    assert_no_influence(module, expected, (x, padding), 0, padding, ~padding, **words)


def test_layouts(solution, reference, rng):
    """Strided, transposed and expanded inputs

    Guards: view on a tensor that is not contiguous, changes of x or of the mask in place.
    """
    module, expected = draw(solution, reference, rng)
    padding = torch.tensor([[False, True, False, False, True]]).expand(2, 5)
    assert_layouts(module, expected, (rng.randn(2, 5, 12), padding))


def test_large_activations(solution, reference, rng):
    """Scores of 10000 and -10000, values and gradients

    Guards: exp without the maximum, a mask fill that is not below every score, infinities behind the mask.
    """
    # Whole numbers and a head width of 4 keep the scores exact, so that rounding cannot choose between near ties.
    one = torch.eye(8, dtype=torch.float64)
    sign = torch.tensor([1.0] * 4 + [-1.0] * 4, dtype=torch.float64)  # in head 1 a token's own score is far below 0
    w_v, w_o = rng.randn(2, 8, 8, dtype=torch.float64)
    module, expected = build(solution, reference, 8, 2, (50 * one, 50 * one * sign, w_v, w_o), torch.float64)
    x = ((rng.integers(0, 2, 2, 6, 8) * 2 - 1) * rng.integers(1, 3, 2, 6, 8)).double()
    x[:, 0] = 2
    padding = torch.tensor([[False, False, True, False, False, True], [False, True, False, False, False, False]])
    assert_same(module, expected, (x, padding), gradients=True)
    assert_same(module.float(), expected.float(), (x.float(),))


def test_long_sequence(solution, reference, rng):
    """256 tokens after 3

    Guards: a mask buffer of fixed size, a mask kept from a shorter sequence.
    """
    module, expected = draw(solution, reference, rng, 4, 2)
    padding = torch.arange(256)[None] >= 240
    assert_same(module, expected, (rng.randn(1, 3, 4),), (rng.randn(1, 256, 4), padding))


def test_own_attention(solution, reference, rng):
    """Written by hand: no library attention

    Guards: library attention reached by an operator's name.
    """
    module, _ = draw(solution, reference, rng, 4, 2)
    padding = torch.tensor([[False, False, True]])
    assert_not_used(module, (rng.randn(1, 3, 4), padding))
