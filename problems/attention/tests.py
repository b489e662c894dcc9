"""Cases of `attention(q, k, v, mask=None)`. Sizes differ from one another so that no two axes can be mixed up."""

import math

import torch

from judge.checks import (
    Trial,
    assert_dtypes,
    assert_global_state,
    assert_layouts,
    assert_not_used,
    assert_repeatable,
    assert_same,
    cast,
    shown_stages,
)

HALF = (torch.float16, torch.bfloat16)


def _inputs(rng, B, H, T, S, D, Dv, dtype=torch.float32):
    return (
        rng.randn(B, H, T, D, dtype=dtype),
        rng.randn(B, H, S, D, dtype=dtype),
        rng.randn(B, H, S, Dv, dtype=dtype),
    )


def _mask(rng, *shape):
    """A random mask in which every query sees at least one key."""
    mask = rng.mask(*shape)
    seen = rng.integers(0, shape[-1], *shape[:-1], 1)
    return mask.scatter(-1, seen, True)


def _one_hidden():
    """Masks [3], [3, 3] and [3, 3, 3] with nothing hidden but one corner."""
    masks = [torch.ones(*[3] * axes, dtype=torch.bool) for axes in (1, 2, 3)]
    for mask in masks:
        mask[(0,) * (mask.dim() - 1) + (2,)] = False
    return masks


MASKS = ("none", "one for all", "one for each head", "one for all sequences", "one for each key", "empty row")


def inputs(rng, B=2, H=2, T=3, S=4, D=4, Dv=3, mask=MASKS):
    """One call of these sizes."""
    q, k, v = _inputs(rng, B, H, T, S, D, Dv)
    if mask == "none":
        return Trial("attention", q, k, v)
    shapes = {"one for each head": (B, H, T, S), "one for all sequences": (H, T, S), "one for each key": (S,)}
    shown = _mask(rng, *shapes.get(mask, (T, S)))
    if mask == "empty row":
        shown[-1] = False
    return Trial("attention", q, k, v, shown, gradients=bool(shown.any(-1).all()))


def stages(q, k, v, mask=None):
    """What a learner is shown of a failing call."""
    scores = q @ k.mT / math.sqrt(q.size(-1))
    seen = torch.ones(scores.shape[-2:], dtype=torch.bool) if mask is None else mask
    return shown_stages(scores, seen)


def test_example_two_keys(solution, reference, rng):
    """One query, two keys, by hand"""
    q = torch.tensor([[[[2.0, 0.0, 0.0, 0.0]]]])
    k = torch.tensor([[[[math.log(3.0), 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]]]])
    v = torch.tensor([[[[4.0, 0.0], [0.0, 8.0]]]])
    assert_same(solution.attention, reference.attention, (q, k, v))


def test_example_mask(solution, reference, rng):
    """A mask: True may attend"""
    q = torch.tensor([[[[math.log(2.0)], [0.0]]]])
    k = torch.tensor([[[[0.0], [1.0], [2.0]]]])
    v = torch.tensor([[[[3.0], [6.0], [9.0]]]])
    mask = torch.tensor([[True, True, False], [False, True, True]])
    assert_same(solution.attention, reference.attention, (q, k, v, mask))


def test_values(solution, reference, rng):
    """Random values, several heads, no mask

    Guards: the scale, the axis of the softmax, the width of v.
    """
    square = _inputs(rng, 2, 3, 5, 5, 5, 5)
    assert_same(solution.attention, reference.attention, _inputs(rng, 2, 4, 5, 7, 8, 3), square)


def test_mask_shapes(solution, reference, rng):
    """Masks of every shape that broadcasts

    Guards: a mask read for one sequence or one head only, or expected to have two axes or four. Where all sizes are
    equal, nothing but the place of an axis says what it stands for.
    """
    B, H, T, S = 2, 3, 4, 5
    shapes = [(T, S), (B, 1, T, S), (1, H, T, S), (B, H, T, S), (B, 1, 1, S), (H, T, S), (1, S), (S,)]
    calls = [(*_inputs(rng, B, H, T, S, 6, 7), _mask(rng, *shape)) for shape in shapes]
    column = (*_inputs(rng, B, H, T, S, 6, 7), torch.ones(T, 1, dtype=torch.bool))
    everything = (*_inputs(rng, B, H, T, S, 6, 7), torch.ones(T, S, dtype=torch.bool))
    equal = [(*_inputs(rng, 3, 3, 3, 3, 6, 7), shown) for shown in _one_hidden()]
    assert_same(solution.attention, reference.attention, *calls, column, everything, *equal)


def test_zero_scores(solution, reference, rng):
    """A score of exactly zero is a score

    Guards: masks or padding guessed from zeros.
    """
    q, k, v = _inputs(rng, 2, 2, 3, 5, 4, 4)
    q[:, :, 1] = 0.0
    k[:, :, 2] = 0.0
    v[:, :, 3] = 0.0
    mask = _mask(rng, 3, 5)
    mask[:, 2:4] = True
    assert_same(solution.attention, reference.attention, (q, k, v), (q, k, v, mask))


def test_float64(solution, reference, rng):
    """float64 in, float64 accuracy out

    Guards: a float32 step inside. D = 7 has a root that no float holds exactly.
    """
    calls = [_inputs(rng, 2, 2, 4, 6, 7, 5, torch.float64), _inputs(rng, 1, 2, 5, 5, 7, 7, torch.float64)]
    masked = (*_inputs(rng, 2, 2, 4, 6, 7, 5, torch.float64), _mask(rng, 4, 6))
    assert_same(solution.attention, reference.attention, *calls, masked)


def test_gradients(solution, reference, rng):
    """Gradients of q, k and v

    Guards: a detached step, an in-place step that autograd refuses. Key 1 of the mask is seen by nobody.
    """
    mask = _mask(rng, 4, 6)
    mask[:, 0] = True
    mask[:, 1] = False
    calls = [
        _inputs(rng, 2, 2, 4, 6, 8, 5, torch.float64),
        (*_inputs(rng, 2, 2, 4, 6, 8, 5, torch.float64), mask),
        (*_inputs(rng, 1, 2, 3, 3, 4, 4), _mask(rng, 2, 3, 3)),
    ]
    assert_same(solution.attention, reference.attention, *calls, gradients=True)


def test_half_precision(solution, reference, rng):
    """float16 and bfloat16

    Guards: constants that do not fit, results of another dtype, the coarser of the two dtypes inside.
    """
    calls = [(*_inputs(rng, 2, 2, 4, 6, 8, 5), _mask(rng, 4, 6)), _inputs(rng, 2, 2, 3, 5, 8, 8)]
    assert_dtypes(solution.attention, reference.attention, *calls, dtypes=HALF)
    q, k, v = _inputs(rng, 2, 2, 16, 16, 8, 15)
    wide = (1.5 * q, k, v)  # wide scores and many of them, which show what bfloat16 loses
    assert_dtypes(solution.attention, reference.attention, wide, dtypes=HALF[:1])


def test_no_visible_key(solution, reference, rng):
    """A query that sees no key returns zeros

    Guards: 0/0, the mean of v in such a row, its neighbours changed with it.
    """
    B, H, T, S = 2, 3, 4, 5
    row = _mask(rng, T, S)
    row[2] = False
    sequence = _mask(rng, B, 1, 1, S)
    sequence[1] = False
    head = _mask(rng, B, H, T, S)
    head[0, 1] = False
    column = torch.tensor([[True], [False], [True], [False]])
    nothing = torch.zeros(T, S, dtype=torch.bool)
    masks = [row, sequence, head, column, nothing]
    calls = [(*_inputs(rng, B, H, T, S, 6, 7), mask) for mask in masks]
    q, k, v = _inputs(rng, B, H, T, S, 6, 7, torch.float64)
    typed = [cast(calls[0], torch.float16), (q, k + 20.0, v, head)]  # a high score for all
    assert_same(solution.attention, reference.attention, *calls, *typed)


def test_sizes(solution, reference, rng):
    """One token, one key, long and odd lengths

    Guards: squeezed axes, tiles whose ragged rest is dropped.
    """
    sizes = [(1, 1, 1, 1, 1, 1), (1, 2, 1, 7, 33, 17), (3, 1, 2, 3, 1, 2), (1, 1, 3, 261, 8, 8), (1, 1, 67, 131, 4, 3)]
    calls = [_inputs(rng, *size) for size in sizes]
    masked = [(*_inputs(rng, *size), _mask(rng, size[2], size[3])) for size in sizes[1:]]
    assert_same(solution.attention, reference.attention, *calls, *masked)


def test_layouts(solution, reference, rng):
    """Strided, expanded and shared inputs

    Guards: views that need contiguous memory, writing into memory that several axes share.
    """
    assert_layouts(solution.attention, reference.attention, (*_inputs(rng, 2, 3, 5, 5, 4, 4), _mask(rng, 5, 5)))
    split = [rng.randn(2, T, 3 * D).view(2, T, 3, D).transpose(1, 2) for T, D in ((4, 6), (5, 6), (5, 7))]
    expanded = _mask(rng, 2, 1, 1, 5).expand(2, 3, 4, 5)
    turned = _mask(rng, 4, 5).t().contiguous().t()
    assert_same(solution.attention, reference.attention, tuple(split), (*split, expanded), (*split, turned))


def test_fresh_data(solution, reference, rng):
    """Other data gives other results, whatever the caller has set

    Guards: results or masks kept from an earlier call, memory that is never set, a dtype taken from torch's default.
    """
    unmasked, masked = _inputs(rng, 2, 2, 3, 4, 4, 4), (*_inputs(rng, 2, 2, 3, 4, 4, 4), _mask(rng, 3, 4))
    assert_repeatable(solution.attention, reference.attention, unmasked, masked)
    assert_global_state(solution.attention, reference.attention, unmasked, masked)


def test_large_scores(solution, reference, rng):
    """Scores of 10000 and -10000

    Guards: exp without the row's own maximum, a finite number as minus infinity, clamped scores, a mask that comes
    after the softmax. D = 16 and whole numbers keep every score exact; gaps of 1000 and more leave one weight of 1.
    """
    order = rng.permutation(6)
    queries = torch.tensor([200.0, -200.0, 200.0, -200.0])
    keys = torch.tensor([200.0, -200.0, 150.0, -150.0, 100.0, -100.0])[order]  # scores from -10000 to 10000
    positive = torch.tensor([200.0, 180.0, 160.0, 140.0, 120.0, 100.0])[order]
    rows = [[1, 1, 1, 1, 1, 1, 0], [1, 1, 1, 1, 1, 1, 0], [0, 1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 1, 0, 0]]
    mask = torch.tensor(rows, dtype=torch.bool)[:, [*order.tolist(), 6]]
    for dtype in (torch.float32, torch.float64):
        q, k = torch.zeros(1, 2, 4, 16), torch.zeros(2, 1, 2, 7, 16)
        q[0, 0, :, 3], q[0, 1, :, 3] = queries, -queries
        k[0, ..., :6, 3], k[1, ..., :6, 3] = keys, positive
        k[..., 6, 3] = 200.0  # as high as the highest, and always hidden
        v = rng.randn(1, 2, 7, 5)
        calls = [(q, k[n, ..., :6, :], v[..., :6, :]) for n in (0, 1)] + [(q, k[n], v, mask) for n in (0, 1)]
        assert_same(solution.attention, reference.attention, *[cast(call, dtype) for call in calls])


def test_no_library_attention(solution, reference, rng):
    """Written without library attention

    Guards: library attention reached by another name than its usual one.
    """
    q, k, v = _inputs(rng, 1, 2, 3, 3, 4, 4)
    assert_not_used(solution.attention, (q, k, v), (q, k, v, _mask(rng, 3, 3)))
