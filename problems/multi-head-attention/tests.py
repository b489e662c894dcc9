"""Multi-head attention: weights by name, heads, gradients, then dropout and limits."""

import torch

from judge.checks import (
    Trial,
    assert_close,
    assert_dtypes,
    assert_layouts,
    assert_not_used,
    assert_same,
    check,
    with_weights,
)

NEARLY_ONE = 1 - 1e-12
"""Dropout that leaves nothing: what it does is certain, not only likely."""


def inputs(rng, B=2, T=3, H=2, D=2, dropout=(0.0, NEARLY_ONE, 1e-12)):
    """One call of these sizes; with dropout that keeps nothing, or everything."""
    return Trial("MultiHeadAttention", rng.randn(B, T, H * D), init=(H * D, H, dropout) if dropout else (H * D, H))


def build(solution, reference, d_model, n_heads, weights, dtype=torch.float32, dropout=()):
    """The learner's module and the reference, both with `weights` (one tensor for each of W_q, W_k, W_v, W_o)."""
    expected = reference.MultiHeadAttention(d_model, n_heads, *dropout).to(dtype)
    with torch.no_grad():
        for name, weight in zip(("W_q", "W_k", "W_v", "W_o"), weights, strict=True):
            getattr(expected, name).weight.copy_(weight)
    return with_weights(solution.MultiHeadAttention, expected, d_model, n_heads, *dropout), expected


def draw(solution, reference, rng, d_model=12, n_heads=3, dtype=torch.float32, dropout=()):
    """Both modules with random weights that keep activations at ordinary size."""
    weights = rng.randn(4, d_model, d_model, dtype=torch.float64) / d_model**0.5
    return build(solution, reference, d_model, n_heads, weights, dtype, dropout)


def test_example_equal_scores(solution, reference):
    """W_q is zero, so all scores are equal: each output is the mean of all tokens"""
    one = torch.eye(4)
    module, expected = build(solution, reference, 4, 2, (0 * one, one, one, one))
    assert_same(module, expected, (torch.tensor([[[1.0, 2.0, 3.0, 4.0], [3.0, 4.0, 5.0, 6.0], [5.0, 4.0, 2.0, 2.0]]]),))


def test_example_two_heads(solution, reference):
    """All weights are the identity: two heads with scores of their own"""
    one = torch.eye(6)
    module, expected = build(solution, reference, 6, 2, (one, one, one, one))
    x = torch.tensor([[[1.0, 0.0, 0.0, 0.0, 1.0, 2.0], [0.0, 1.0, 2.0, 1.0, 1.0, 0.0], [1.0, 1.0, 2.0, 2.0, 0.0, 0.0]]])
    assert_same(module, expected, (x,))


def test_random_weights(solution, reference, rng):
    """Random weights loaded by name, three heads, several lengths and batches

    Guards: misshapen or shared parameters, matrices in each other's place, anything kept from an earlier call.
    """
    module, expected = draw(solution, reference, rng)
    assert_same(
        module, expected, *((rng.randn(B, T, 12),) for B, T in ((2, 5), (2, 5), (5, 2), (3, 3), (4, 8), (1, 4)))
    )


def test_head_counts(solution, reference, rng):
    """One head, one channel a head, odd sizes, a single token, 150 tokens

    Guards: sizes written into the code, squeezed dimensions, keys that are cut.
    """
    for d_model, n_heads in ((5, 1), (7, 7), (20, 4)):
        module, expected = draw(solution, reference, rng, d_model, n_heads)
        assert_same(
            module, expected, (rng.randn(3, 5, d_model),), (rng.randn(1, 1, d_model),), (rng.randn(1, 150, d_model),)
        )


def test_gradients(solution, reference, rng):
    """float64 accuracy, gradients of x and of all four weights

    Guards: a float32 step inside, detached parts, in-place changes of what the backward pass needs.
    """
    module, expected = draw(solution, reference, rng, 10, 2, torch.float64)  # no float holds the root of 5 exactly
    x, wide = rng.randn(2, 2, 5, 10, dtype=torch.float64)
    calls = [(x,), (3 * wide,), (rng.randn(1, 3, 10, dtype=torch.float64),)]  # large scores show what a scale loses
    assert_same(module, expected, *calls, gradients=True)


def test_half_precision(solution, reference, rng):
    """float16 and bfloat16 in, the same dtype out

    Guards: parts computed or returned in float32.
    """
    module, expected = draw(solution, reference, rng)
    assert_dtypes(module, expected, (rng.randn(2, 4, 12),), dtypes=(torch.float16, torch.bfloat16))


def test_hardly_any_dropout(solution, reference, rng):
    """A dropout of almost 0 keeps everything, in training too

    Guards: the probability of keeping taken for that of dropping, gradients that end at what is dropped.
    """
    module, expected = draw(solution, reference, rng, 8, 2, torch.float64, dropout=(1e-12,))
    assert_same(module.train(), expected.train(), (rng.randn(1, 3, 8, dtype=torch.float64),), gradients=True)


def test_dropout_in_eval(solution, reference, rng):
    """eval() turns dropout off, also after a call in training

    Guards: dropout that does not ask for the mode, a cache of earlier calls. In training nothing is left, so that what
    drops shows for certain.
    """
    module, expected = draw(solution, reference, rng, 8, 2, dropout=(NEARLY_ONE,))
    x = rng.randn(1, 2, 8)
    with torch.no_grad():
        module.train()(x)
    assert_same(module.eval(), expected.eval(), (x,), (rng.randn(1, 3, 8),), (rng.randn(2, 3, 8),))


def test_dropout_in_training(solution, reference, rng):
    """In training each weight is dropped by itself; the kept ones are divided by 1 - dropout

    Guards: dropout on anything but the weights, the same for several of them, as many for each query, or none for a
    single token. The limits are more than six standard deviations away.
    """
    module, expected = draw(solution, reference, rng, 8, 2, dropout=(NEARLY_ONE,))
    assert_same(module.train(), expected.train(), (rng.randn(1, 3, 8),), (rng.randn(2, 1, 8),))
    B, T, H, p = 64, 6, 2, 0.3
    width = H * 2 * T
    # Token s has the values onehot(s) twice in each head, W_o is the identity: an output is its row of weights, twice.
    w_q, w_k = rng.randn(2, width, width) / width**0.5
    w_v = torch.cat([torch.eye(T), torch.zeros(T, width - T)], dim=1).repeat(2 * H, 1)
    module, expected = build(solution, reference, width, H, (w_q, w_k, w_v, torch.eye(width)), dropout=(p,))
    x = torch.cat([torch.eye(T).expand(B, T, T), rng.randn(B, T, width - T)], dim=-1)
    module.train()
    with torch.no_grad():
        whole = expected.eval()(x)
        results = [module(x), module(x)]
    masks = []
    for result in results:
        if not isinstance(result, torch.Tensor) or result.shape != x.shape:
            assert_close(result, whole)
        once, twice = (result.unflatten(-1, (H, 2, T)) != 0).unbind(3)  # (B, T, H, T)
        check(
            torch.equal(once, twice),
            "In training, something other than whole attention weights is dropped: a weight of zero takes all channels "
            "of its value with it.",
            "训练时丢弃的不是整个注意力权重：权重为零时，对应的值的所有通道都应一起消失。",
        )
        masks.append(once)
    kept = torch.stack(masks)  # (2, B, T, H, T)
    share = 1 - kept.double().mean().item()
    axes = [("calls", "两次调用"), ("rows of the batch", "批次中不同的行"), ("queries", "不同的查询")]
    axes += [("heads", "不同的头"), ("keys", "不同的键")]
    for axis, (en, zh) in enumerate(axes):
        alike = (kept.narrow(axis, 1, kept.size(axis) - 1) == kept.narrow(axis, 0, kept.size(axis) - 1)).double().mean()
        check(
            alike < 0.7 or not 0.1 < share < 0.9,  # 0.58 is what chance gives
            f"In training, different {en} drop the same weights: each weight is dropped by itself.",
            f"训练时{zh}丢弃了同样的权重：每个权重都应独立丢弃。",
        )
        check(
            alike > 0.53 or abs(share - p) >= 0.035,
            f"In training, dropping depends on what happens to other {en}: each weight is dropped by itself.",
            f"训练时，{zh}丢弃与否互相影响：每个权重都应独立丢弃。",
        )
    check(
        abs(share - p) < 0.035,
        f"In training, {share:.0%} of the weights are zero with a dropout of {p:.0%}.",
        f"训练时有 {share:.0%} 的权重为零，而 dropout 是 {p:.0%}。",
    )
    for result in results:
        check(
            not torch.allclose(result, torch.where(result != 0, whole, 0.0), atol=1e-5),
            "In training, the kept weights are as they were: they must be divided by 1 - dropout.",
            "训练时保留下来的权重没有变：应当除以 1 - dropout。",
        )
        assert_close(result, torch.where(result != 0, whole / (1 - p), 0.0))


def test_layouts(solution, reference, rng):
    """Strided, transposed and expanded inputs; they stay as they are

    Guards: view on a tensor that is not contiguous, changes of x in place.
    """
    module, expected = draw(solution, reference, rng)
    assert_same(module, expected, (rng.randn(2, 5, 12),), (rng.randn(5, 2, 12).transpose(0, 1),))
    assert_layouts(module, expected, (rng.randn(2, 5, 12),))


def test_large_activations(solution, reference, rng):
    """Scores of 10000 and -10000, values and gradients

    Guards: exp without the row's own maximum, clamped scores.
    """
    # Whole numbers and a head width of 4 keep the scores exact, so that rounding cannot choose between near ties.
    one = torch.eye(8, dtype=torch.float64)
    w_v, w_o = rng.randn(2, 8, 8, dtype=torch.float64)
    module, expected = build(solution, reference, 8, 2, (50 * one, 50 * one, w_v, w_o), torch.float64)
    x = ((rng.integers(0, 2, 2, 6, 8) * 2 - 1) * rng.integers(1, 3, 2, 6, 8)).double()
    x[:, 0] = 2
    x[:, 1, :4] = -x[:, 0, :4]
    x[1] = 0
    x[1, 0] = 1  # one token far above the others, which see nothing but zeros
    assert_same(module, expected, (x,), gradients=True)
    assert_same(module.float(), expected.float(), (x.float(),))


def test_own_module(solution, reference, rng):
    """Written by hand: no nn.MultiheadAttention

    Guards: its operator called by name, perhaps in eval only.
    """
    module, _ = draw(solution, reference, rng, 4, 2)
    x = rng.randn(1, 3, 4)
    assert_not_used(module.train(), (x,))
    assert_not_used(module.eval(), (x,))
