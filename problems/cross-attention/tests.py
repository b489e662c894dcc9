"""Cases of `cross_attention(q, k, v, key_padding_mask)`. Sizes differ so that no two axes can be mixed up; one case is
about sizes that agree by chance.
"""

import math

import torch

from judge.checks import (
    Trial,
    assert_dtypes,
    assert_global_state,
    assert_jacobian,
    assert_layouts,
    assert_no_influence,
    assert_repeatable,
    assert_same,
    cast,
    shown_stages,
)

HALF = (torch.float16, torch.bfloat16)


def _draw(rng, B, H, T, S, D, Dv, dtype=torch.float32):
    return (
        rng.randn(B, H, T, D, dtype=dtype),
        rng.randn(B, H, S, D, dtype=dtype),
        rng.randn(B, H, S, Dv, dtype=dtype),
    )


def _padding(rng, B, S):
    """Padding anywhere, but a real key in each sequence."""
    return rng.mask(B, S).scatter(1, rng.integers(0, S, B, 1), False)


def _right(lengths, S):
    """Sequences of these lengths, padded on the right."""
    return torch.arange(S) >= torch.tensor(lengths)[:, None]


def _wave(step, *shape):
    """Numbers between -1 and 1."""
    return torch.sin(step * torch.arange(1, math.prod(shape) + 1, dtype=torch.float64)).reshape(shape)


def inputs(rng, B=2, H=2, T=3, S=4, D=3, Dv=3, padding=("none", "right", "left", "anywhere", "all of one sequence")):
    """One call of these sizes."""
    lengths = [S - n % S for n in range(B, 0, -1)]
    masks = {"none": _right([S] * B, S), "right": _right(lengths, S), "left": _right(lengths, S).flip(1)}
    mask = masks[padding] if padding in masks else _padding(rng, B, S)
    if padding == "all of one sequence":
        mask[-1] = True
    seen = not mask.all(-1).any()
    return Trial("cross_attention", *_draw(rng, B, H, T, S, D, Dv), mask, gradients=bool(seen))


def stages(q, k, v, key_padding_mask):
    """What a learner is shown of a failing call."""
    return shown_stages(q @ k.mT / math.sqrt(q.size(-1)), ~key_padding_mask[:, None, None, :])


def test_example_equal_scores(solution, reference):
    """Equal scores: in each of two sequences the mean of the values of real keys"""
    q = torch.zeros(2, 1, 2, 2)
    k = torch.tensor([[[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]]]).repeat(2, 1, 1, 1)
    v = torch.tensor([[[[2.0, 0.0], [4.0, 6.0], [9.0, 3.0]]]]).repeat(2, 1, 1, 1)
    padding = torch.tensor([[False, False, False], [False, False, True]])
    assert_same(solution.cross_attention, reference.cross_attention, (q, k, v, padding))


def test_example_three_queries(solution, reference):
    """Three queries, two keys: nothing is causal"""
    q = torch.tensor([[[[0.0], [math.log(2.0)], [math.log(3.0)]]]])
    k = torch.tensor([[[[0.0], [1.0]]]])
    v = torch.tensor([[[[12.0], [0.0]]]])
    assert_same(solution.cross_attention, reference.cross_attention, (q, k, v, torch.tensor([[False, False]])))


def test_values(solution, reference, rng):
    """Random values, T below, above and equal to S

    Guards: the scale, the axis of the softmax, the width of v, a causal mask.
    """
    sizes = [(2, 3, 4, 7, 6, 5), (3, 2, 7, 4, 5, 6), (2, 3, 5, 5, 4, 7), (2, 3, 1, 4, 5, 6), (3, 4, 6, 2, 1, 5)]
    calls = [(*_draw(rng, *size), _padding(rng, size[0], size[3])) for size in sizes]
    unpadded = (*_draw(rng, 2, 3, 4, 7, 6, 5), torch.zeros(2, 7, dtype=torch.bool))
    assert_same(solution.cross_attention, reference.cross_attention, *calls, unpadded)


def test_padding_anywhere(solution, reference, rng):
    """Padding on the left, on the right and in the middle, another in each sequence

    Guards: padding of one sequence or head used for others, padding taken for a length.
    """
    B, H, T, S = 4, 3, 5, 6
    right = _right([6, 4, 1, 3], S)
    middle = torch.zeros(B, S, dtype=torch.bool)
    middle[1, 2:4], middle[2, [0, 3]], middle[3, 1:] = True, True, True
    masks = [right, right.flip(1), middle, middle.flip(0), _padding(rng, B, S)]
    assert_same(
        solution.cross_attention, reference.cross_attention, *((*_draw(rng, B, H, T, S, 4, 7), mask) for mask in masks)
    )


def test_square(solution, reference, rng):
    """Sizes that agree by chance: B = H, T = S, B = T, all of them

    Guards: a mask that fits by chance on another axis, and queries treated as padding where T = S.
    """
    sizes = [(3, 3, 4, 5, 6, 7), (2, 3, 5, 5, 4, 6), (3, 2, 3, 5, 4, 6), (4, 4, 4, 4, 4, 4), (5, 5, 2, 5, 3, 3)]
    calls = [(*_draw(rng, *size), _padding(rng, size[0], size[3])) for size in sizes]
    assert_same(solution.cross_attention, reference.cross_attention, *calls)


def test_zero_scores(solution, reference, rng):
    """Scores, keys and values that are exactly zero

    Guards: padding guessed from zeros.
    """
    q, k, v = _draw(rng, 2, 2, 3, 6, 4, 5)
    q[:, :, 1] = 0.0
    k[:, :, 2] = 0.0
    v[:, :, 3] = 0.0
    padding = _padding(rng, 2, 6)
    padding[:, 2:4] = False
    assert_same(solution.cross_attention, reference.cross_attention, (q, k, v, padding), (q, k, v, _right([6, 5], 6)))


def test_float64(solution, reference, rng):
    """float64 in, float64 accuracy out

    Guards: a float32 step inside. D = 7 has a root that no float holds exactly.
    """
    calls = [(*_draw(rng, 2, 3, T, 5, 7, 6, torch.float64), _padding(rng, 2, 5)) for T in (3, 8)]
    assert_same(solution.cross_attention, reference.cross_attention, *calls)


def test_gradients(solution, reference, rng):
    """Gradients of q, k and v

    Guards: a detached step, an in-place step that autograd refuses.
    """
    calls = [(*_draw(rng, 2, 3, T, 5, 4, 6, torch.float64), _padding(rng, 2, 5)) for T in (3, 8)]
    single = (*_draw(rng, 1, 2, 2, 3, 5, 4), torch.tensor([[True, False, False]]))
    assert_same(solution.cross_attention, reference.cross_attention, *calls, single, gradients=True)


def test_half_precision(solution, reference, rng):
    """float16 and bfloat16 in, the same dtype out

    Guards: constants that do not fit, results of another dtype, the coarser of the two dtypes inside.
    """
    padding = _padding(rng, 3, 6)
    padding[1] = True
    calls = [(*_draw(rng, 2, 3, 4, 6, 8, 5), _padding(rng, 2, 6)), (*_draw(rng, 3, 2, 7, 6, 8, 5), padding)]
    function, right = solution.cross_attention, reference.cross_attention
    assert_dtypes(function, right, *calls, dtypes=HALF)
    # always the same numbers: here bfloat16 is off by twice the tolerance, and float16 by a quarter of it
    q, k, v = 4.0 * _wave(1.1, 2, 3, 4, 8), 1.5 * _wave(2.9, 2, 3, 6, 8), 2.0 * _wave(1.9, 2, 3, 6, 5)
    fixed = torch.arange(6)[None] % 4 == torch.arange(2)[:, None]
    assert_dtypes(function, right, (q, k, v, fixed), dtypes=HALF[:1])


def test_only_padding(solution, reference, rng):
    """A sequence of nothing but padding gives zeros

    Guards: 0/0, the mean of v, a mask dropped for such a sequence, other sequences changed with it.
    """
    B, H, T, S = 3, 2, 4, 5
    one = _padding(rng, B, S)
    one[1] = True
    everything = torch.ones(B, S, dtype=torch.bool)
    q, k, v = _draw(rng, B, H, T, S, 6, 7, torch.float64)
    calls = [(*_draw(rng, B, H, T, S, 6, 7), mask) for mask in (one, everything)]
    assert_same(solution.cross_attention, reference.cross_attention, *calls, (q, k + 20.0, v, one))  # high scores


def test_sizes(solution, reference, rng):
    """One query, one key, odd and long lengths

    Guards: squeezed axes, blocks of keys without their ragged rest.
    """
    sizes = [(1, 1, 1, 1, 1, 1), (1, 2, 1, 5, 3, 17), (3, 1, 4, 1, 33, 2), (1, 1, 3, 261, 8, 5), (1, 1, 131, 2, 4, 3)]
    calls = [(*_draw(rng, *size), _padding(rng, size[0], size[3])) for size in sizes]
    last = (*_draw(rng, 2, 1, 2, 131, 4, 3), _right([131, 1], 131))
    assert_same(solution.cross_attention, reference.cross_attention, *calls, last)


def test_no_leak(solution, reference, rng):
    """Padding moves no output and gets no gradient

    Guards: leaks too small for the comparison of values; the Jacobian sees them before rounding does.
    """
    function, right = solution.cross_attention, reference.cross_attention
    padding = torch.tensor([[False, True, False, False, True, True], [True, False, True, False, False, False]])
    call = (*_draw(rng, 2, 3, 4, 6, 5, 7, torch.float64), padding)
    hidden = padding[:, None].expand(2, 3, 6)
    for argument, source, source_zh in ((1, "a padded key", "填充的键"), (2, "a padded value", "填充的值")):
        words = {"source": source, "target": "the outputs", "source_zh": source_zh, "target_zh": "输出"}
        assert_no_influence(function, right, call, argument, hidden, ..., **words)
    small = (*_draw(rng, 2, 2, 3, 4, 3, 2), torch.tensor([[False, False, True, False], [True, False, False, True]]))
    assert_jacobian(function, right, small, argument=(0, 1, 2))


def test_layouts(solution, reference, rng):
    """Strided, expanded and shared inputs

    Guards: views that need contiguous memory, writing into memory that several axes share.
    """
    padding = _padding(rng, 2, 5)
    assert_layouts(solution.cross_attention, reference.cross_attention, (*_draw(rng, 2, 3, 5, 5, 4, 4), padding))
    split = [rng.randn(2, T, 3 * D).view(2, T, 3, D).transpose(1, 2) for T, D in ((4, 6), (5, 6), (5, 7))]
    one_for_all = padding[:1].expand(2, 5)
    every_second = torch.stack([padding, ~padding], -1).flatten(1)[:, ::2]
    calls = [(*split, mask) for mask in (padding, one_for_all, every_second)]
    assert_same(solution.cross_attention, reference.cross_attention, *calls)


def test_fresh_data(solution, reference, rng):
    """Other data or other padding gives other results, whatever the caller has set

    Guards: a mask or results kept from an earlier call, memory that is never set, a dtype taken from torch's default.
    """
    q, k, v = _draw(rng, 2, 3, 4, 5, 4, 4)
    calls = [(q, k, v, _right([5, 2], 5)), (q, k, v, _right([3, 4], 5))]
    assert_repeatable(solution.cross_attention, reference.cross_attention, *calls)
    assert_global_state(solution.cross_attention, reference.cross_attention, (q, k, v, _right([0, 3], 5)))


def test_large_scores(solution, reference, rng):
    """Scores of 10000 and -10000, values and gradients

    Guards: exp without the row's own maximum over real keys, a finite number as minus infinity, a mask after the
    softmax. D = 16 and whole numbers keep every score exact; gaps of 1000 and more leave one weight of 1.
    """
    order = rng.permutation(6)
    queries = torch.tensor([200.0, -200.0, 200.0, -200.0])
    keys = torch.tensor([200.0, -200.0, 150.0, -150.0, 100.0, -100.0])[order]  # scores from -10000 to 10000
    positive = torch.tensor([200.0, 180.0, 160.0, 140.0, 120.0, 100.0])[order]
    rows = torch.tensor([[1, 1, 0, 1, 1, 1], [1, 0, 1, 1, 0, 1], [0, 1, 0, 0, 0, 0]]).bool()  # real ones
    padding = torch.cat([~rows[:, order], torch.ones(3, 1, dtype=torch.bool)], 1)
    q, k = torch.zeros(3, 2, 4, 16), torch.zeros(2, 3, 2, 7, 16)
    q[:, 0, :, 3], q[:, 1, :, 3] = queries, -queries
    k[0, ..., :6, 3], k[1, ..., :6, 3] = keys, positive
    k[..., 6, 3] = 200.0  # as high as the highest, and always padding
    v = rng.randn(3, 2, 7, 5)
    for dtype in (torch.float64, torch.float32):
        calls = [cast((q, keys, v, padding), dtype) for keys in k]
        assert_same(solution.cross_attention, reference.cross_attention, *calls, gradients=True)
