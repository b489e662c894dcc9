"""Cases of `cached_attention(q, k_new, v_new, k_past, v_past)`: prefill, decode, chunks, then precision and limits."""

import math

import torch

from judge.checks import Trial, assert_dtypes, assert_layouts, assert_same, cast


def inputs(rng, B=2, H=2, T=3, P=2, D=2, Dv=2, past=("none", "given", "empty")):
    """One call of these sizes."""
    call = draw(rng, B, H, T, P if past == "given" else 0, D, Dv)
    return Trial("cached_attention", *(call[:3] if past == "none" else call))


def draw(rng, B, H, T, P, D, Dv, dtype=torch.float32):
    """Queries, keys and values of T new tokens, keys and values of P past ones."""
    sizes = ((T, D), (T, D), (T, Dv), (P, D), (P, Dv))
    return tuple(rng.randn(B, H, length, width, dtype=dtype) for length, width in sizes)


def test_example_one_token(solution, reference):
    """One new token after two cached ones"""
    q = torch.tensor([[[[2.0, 0.0, 0.0, 0.0]]]])
    k_new = torch.tensor([[[[math.log(2.0), 0.0, 0.0, 1.0]]]])
    k_past = torch.tensor([[[[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]]])
    v_new, v_past = torch.tensor([[[[12.0]]]]), torch.tensor([[[[4.0], [8.0]]]])
    assert_same(solution.cached_attention, reference.cached_attention, (q, k_new, v_new, k_past, v_past))


def test_example_chunk(solution, reference):
    """A chunk of two new tokens after one cached one, equal scores; then the same without a cache"""
    q = torch.zeros(1, 1, 2, 2)
    k_new, k_past = torch.tensor([[[[1.0, 0.0], [0.0, 1.0]]]]), torch.tensor([[[[1.0, 1.0]]]])
    v_new, v_past = torch.tensor([[[[6.0], [3.0]]]]), torch.tensor([[[[0.0]]]])
    calls = [(q, k_new, v_new, k_past, v_past), (q, k_new, v_new)]
    assert_same(solution.cached_attention, reference.cached_attention, *calls)


def test_prefill(solution, reference, rng):
    """No cache: causal attention

    Guards: scale, softmax and mask without any past; values of another width.
    """
    sizes = [(2, 3, 5, 0, 8, 5), (3, 2, 4, 0, 6, 8), (2, 1, 6, 0, 4, 2)]
    calls = [draw(rng, *size)[:3] for size in sizes]
    square = draw(rng, 2, 3, 4, 0, 4, 4)[:3]
    assert_same(solution.cached_attention, reference.cached_attention, *calls, square)


def test_decode(solution, reference, rng):
    """One new token sees the whole cache and itself

    Guards: a mask whose diagonal starts at the first key, keys and values joined in different order.
    """
    sizes = [(2, 3, 1, 5, 8, 4), (3, 2, 1, 1, 6, 7), (2, 1, 1, 9, 4, 3)]
    assert_same(solution.cached_attention, reference.cached_attention, *(draw(rng, *size) for size in sizes))


def test_chunks(solution, reference, rng):
    """Several new tokens over a shorter, equal or longer cache

    Guards: chunks that see their own future, or not each other; the cache behind the new tokens.
    """
    sizes = [(2, 3, 4, 5, 8, 6), (3, 2, 5, 2, 6, 9), (2, 2, 4, 4, 5, 3), (1, 3, 2, 9, 4, 4)]
    assert_same(solution.cached_attention, reference.cached_attention, *(draw(rng, *size) for size in sizes))


def test_sequence_in_pieces(solution, reference, rng):
    """Nine tokens in pieces of 3, 1, 4 and 1 equal one pass

    Guards: a cache of the submission's own, kept from call to call beside the one that is given.
    """
    q, k, v, _, _ = draw(rng, 2, 3, 9, 0, 8, 7)
    steps = [(0, 3), (3, 4), (4, 8), (8, 9)]
    calls = [(q[:, :, a:b], k[:, :, a:b], v[:, :, a:b], k[:, :, :a], v[:, :, :a]) for a, b in steps]
    calls[0] = calls[0][:3]
    assert_same(solution.cached_attention, reference.cached_attention, *calls, (q, k, v), calls[2])


def test_empty_cache(solution, reference, rng):
    """A cache of length 0 is as no cache

    Guards: maxima over nothing, a chunk left unmasked because there is a cache.
    """
    calls = [draw(rng, 2, 3, 4, 0, 6, 5), draw(rng, 1, 2, 1, 0, 4, 3)]
    assert_same(solution.cached_attention, reference.cached_attention, *calls)


def test_zeros(solution, reference, rng):
    """Zeros in the cache are keys like any other

    Guards: zero keys taken for free slots, zero scores taken for hidden.
    """
    q, k_new, v_new, k_past, v_past = draw(rng, 2, 3, 4, 5, 6, 7)
    q[:, :, 2] = 0.0
    k_past[:, :, 1] = 0.0
    k_new[:, :, 0] = 0.0
    assert_same(solution.cached_attention, reference.cached_attention, (q, k_new, v_new, k_past, v_past))


def test_float64(solution, reference, rng):
    """float64 in, float64 accuracy out

    Guards: a softmax in float32, a scale rounded to float32.
    """
    calls = [draw(rng, 2, 3, 4, 5, 7, 6, torch.float64), draw(rng, 2, 3, 4, 0, 6, 5, torch.float64)[:3]]
    assert_same(solution.cached_attention, reference.cached_attention, *calls)


def test_gradients(solution, reference, rng):
    """Gradients of all five tensors, of the cache too

    Guards: a cache cut off from autograd, in-place changes of what backward needs.
    """
    calls = [draw(rng, 2, 3, 4, 5, 6, 7, torch.float64), draw(rng, 2, 2, 1, 3, 4, 5, torch.float64)]
    without = draw(rng, 1, 2, 4, 0, 4, 3, torch.float64)[:3]
    assert_same(solution.cached_attention, reference.cached_attention, *calls, without, gradients=True)


def test_half_precision(solution, reference, rng):
    """float16 and bfloat16 in, the same dtype out

    Guards: a constant too large for float16, results left in float32.
    """
    call = draw(rng, 2, 3, 4, 5, 8, 6)
    halves = (torch.float16, torch.bfloat16)
    assert_dtypes(solution.cached_attention, reference.cached_attention, call, call[:3], dtypes=halves)


def test_sizes(solution, reference, rng):
    """One token alone, odd widths, 37 tokens over a cache of 150

    Guards: squeezed axes, masks of fixed size, a cache that is cut.
    """
    calls = [draw(rng, *size) for size in ((1, 1, 1, 1, 1, 1), (1, 2, 3, 1, 5, 1), (3, 1, 2, 3, 1, 7))]
    alone = draw(rng, 1, 1, 1, 0, 1, 1)[:3]
    assert_same(solution.cached_attention, reference.cached_attention, alone, *calls, draw(rng, 1, 1, 37, 150, 4, 3))


def test_layouts(solution, reference, rng):
    """A cache that is part of a larger buffer, strided and expanded inputs; all stay as they are

    Guards: view on a tensor that is not contiguous, inputs scaled in place, reading past the cache's end.
    """
    assert_layouts(solution.cached_attention, reference.cached_attention, draw(rng, 2, 3, 4, 4, 5, 5))
    B, H, T, P, D = 2, 3, 4, 5, 6
    buffers = [rng.randn(B, H, 16, D) for _ in range(2)]
    for buffer in buffers:
        buffer[:, :, P:] = 1e4  # stale
    q, k_new, v_new = (rng.randn(B, T, H, D).transpose(1, 2) for _ in range(3))  # as projections give them
    k_past, v_past = (buffer[:, :, :P] for buffer in buffers)
    assert_same(solution.cached_attention, reference.cached_attention, (q, k_new, v_new, k_past, v_past))


def test_large_scores(solution, reference, rng):
    """Scores of 10000 and -10000, values and gradients

    Guards: exp without the row's own maximum, a mask fill that is not below every score, clamped scores.
    """
    # Whole numbers and D = 4 keep the scores exact, so that rounding cannot choose between near ties.
    base = (rng.integers(0, 2, 1, 2, 7, 4) * 2 - 1) * rng.integers(1, 3, 1, 2, 7, 4)
    base[:, :, 0] = 2
    base = base.double()
    sign = torch.tensor([1.0, -1.0], dtype=torch.float64)[:, None, None]  # in head 1 a token's own score is far below 0
    q, k, v = 50 * base, 50 * base * sign, rng.randn(1, 2, 7, 5, dtype=torch.float64)
    low = q.abs(), -k.abs()  # all scores far below 0
    calls = [(q, k, v)]
    for queries, keys, past in ((q, k, 3), (q, k, 6), (*low, 3)):
        calls.append((queries[:, :, past:], keys[:, :, past:], v[:, :, past:], keys[:, :, :past], v[:, :, :past]))
    assert_same(solution.cached_attention, reference.cached_attention, *calls, gradients=True)
    narrow = [cast(call, torch.float32) for call in calls]
    assert_same(solution.cached_attention, reference.cached_attention, *narrow)
