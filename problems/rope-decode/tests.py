"""Cases of `rope_decode(q, k, cache_len, base)`: where positions begin, then precision and limits.

Angles of float32 are as exact as positions are small: it is compared at 1e-4 up to position 100, at 2e-2 beyond.
"""

import itertools

import torch

from judge.checks import Trial, assert_dtypes, assert_global_state, assert_layouts, assert_repeatable, assert_same, cast

FLOAT32 = 1e-4


def draw(rng, B, H, T, D, dtype=torch.float32):
    """Queries and keys of T new tokens."""
    return rng.randn(B, H, T, D, dtype=dtype), rng.randn(B, H, T, D, dtype=dtype)


def inputs(rng, B=2, H=2, T=2, D=4, cache_len=(0, 1, 2, 3, 257, 100_002), base=(10000.0, 100.5)):
    """One call of these sizes; long caches where all frequencies are 1, else angles lose digits."""
    if D % 2 or (D > 2 and cache_len > 1000):
        return None
    return Trial("rope_decode", *draw(rng, B, H, T, D), cache_len, base)


def test_example_one_token(solution, reference):
    """One new token after two cached ones"""
    q, k = torch.tensor([[[[1.0, 0.0]]]]), torch.tensor([[[[0.0, 2.0]]]])
    assert_same(solution.rope_decode, reference.rope_decode, (q, k, 2), tolerance=FLOAT32)


def test_example_chunk(solution, reference):
    """Two new tokens after three cached ones, two pairs of channels, base 100"""
    q = torch.tensor([[[[1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0]]]])
    k = torch.tensor([[[[0.0, 0.0, 1.0, 1.0], [1.0, 0.0, 0.0, 1.0]]]])
    assert_same(solution.rope_decode, reference.rope_decode, (q, k, 3, 100.0), tolerance=FLOAT32)


def test_prefill(solution, reference, rng):
    """No cache: positions begin at 0

    Guards: pairs, signs and frequencies before the cache comes in; B, H, T and D differ.
    """
    calls = [(*draw(rng, B, H, T, D), 0) for B, H, T, D in ((2, 3, 5, 8), (3, 2, 7, 6), (2, 5, 4, 10))]
    assert_same(solution.rope_decode, reference.rope_decode, *calls, tolerance=FLOAT32)


def test_decode(solution, reference, rng):
    """One new token after caches of different lengths

    Guards: positions one off; q and k at different positions.
    """
    calls = [(*draw(rng, 2, 3, 1, 6), cache_len) for cache_len in (0, 1, 2, 7, 30, 99)]
    assert_same(solution.rope_decode, reference.rope_decode, *calls, tolerance=FLOAT32)


def test_chunks(solution, reference, rng):
    """Several new tokens after caches of different lengths

    Guards: one position for the whole chunk, a chunk that ends at cache_len.
    """
    sizes = [(2, 3, 4, 6, 5), (3, 2, 5, 8, 1), (1, 2, 3, 4, 60), (2, 2, 7, 2, 7), (4, 4, 4, 4, 4)]
    calls = [(*draw(rng, B, H, T, D), cache_len) for B, H, T, D, cache_len in sizes]
    assert_same(solution.rope_decode, reference.rope_decode, *calls, tolerance=FLOAT32)


def test_sequence_in_pieces(solution, reference, rng):
    """Nine tokens in pieces of 3, 1, 4 and 1 equal one pass

    Guards: positions counted inside the submission from call to call: one piece comes twice, and the order is mixed.
    """
    q, k = draw(rng, 2, 3, 9, 8)
    calls = [(q[:, :, a:b], k[:, :, a:b], a) for a, b in itertools.pairwise((0, 3, 4, 8, 9))]
    calls += [calls[1], (q, k, 0), calls[2]]
    assert_same(solution.rope_decode, reference.rope_decode, *calls, tolerance=FLOAT32)


def test_other_bases(solution, reference, rng):
    """Bases 100, 500000 and 2.5

    Guards: a base written into the code, for both or for one of the two, or rounded.
    """
    calls = [(*draw(rng, 2, 3, 3, 14), 6, *base) for base in ((100.0,), (), (500000.0,), (2.5,))]
    assert_same(solution.rope_decode, reference.rope_decode, *calls, tolerance=FLOAT32)


def test_sizes(solution, reference, rng):
    """One pair, odd numbers of pairs, 128 channels, one batch and head

    Guards: squeezed axes, D divisible by 4.
    """
    sizes = [(1, 1, 1, 2), (3, 1, 2, 2), (1, 7, 3, 6), (1, 2, 60, 10), (1, 2, 3, 128)]
    calls = [(*draw(rng, *size), 9) for size in sizes]
    assert_same(solution.rope_decode, reference.rope_decode, *calls, tolerance=FLOAT32)


def test_float64(solution, reference, rng):
    """float64 in, float64 accuracy out, angles too

    Guards: frequencies or angles in float32, whatever the inputs are.
    """
    calls = [(*draw(rng, 2, 3, T, D, torch.float64), 40) for T, D in ((5, 6), (4, 10))]
    assert_same(solution.rope_decode, reference.rope_decode, *calls)


def test_gradients(solution, reference, rng):
    """The gradients of q and k: they turn back

    Guards: results cut off from autograd.
    """
    calls = [(*draw(rng, 2, 3, T, 6, torch.float64), 11) for T in (1, 4)]
    assert_same(solution.rope_decode, reference.rope_decode, *calls, gradients=True)


def test_half_precision(solution, reference, rng):
    """float16 and bfloat16: the same dtype out, angles exact all the same

    Guards: positions and angles in the dtype of q (bfloat16 has no number between 256 and 258), results in float32.
    """
    q, k = draw(rng, 2, 3, 5, 8)
    calls = [(q, k, cache_len) for cache_len in (0, 4, 255, 2045)]
    assert_dtypes(solution.rope_decode, reference.rope_decode, *calls, dtypes=(torch.float16, torch.bfloat16))


def test_large_positions(solution, reference, rng):
    """Long caches: positions up to 100000

    Guards: tables of fixed length, positions cut or wrapped. Angles lose digits here, hence the wide tolerance.
    """
    q, k = draw(rng, 2, 3, 3, 8, torch.float64)
    lengths = (2046, 8191, 40000, 99998)  # the last token stands at 100000

    def exact(q, k, cache_len):
        return tuple(x.to(q.dtype) for x in reference.rope_decode(q.double(), k.double(), cache_len))

    assert_same(solution.rope_decode, exact, *[(q.float(), k.float(), n) for n in lengths], tolerance=2e-2)
    assert_same(solution.rope_decode, reference.rope_decode, *[(q, k, n) for n in lengths], tolerance=1e-8)


def test_layouts(solution, reference, rng):
    """Strided, transposed and expanded inputs; q and k stay as they are

    Guards: views that need contiguous memory, turning in place.
    """
    q, k = draw(rng, 2, 3, 4, 8)
    assert_layouts(solution.rope_decode, reference.rope_decode, cast((q, k, 5), torch.float64))
    split = rng.randn(2, 4, 2, 3, 8, dtype=torch.float64).permute(2, 0, 3, 1, 4)  # as they come from a projection
    assert_same(solution.rope_decode, reference.rope_decode, (split[0], split[1], 5))


def test_fresh_data(solution, reference, rng):
    """Another cache gives another result, whatever the caller has set

    Guards: angles kept from an earlier call of the same shape, torch's default dtype.
    """
    q, k = draw(rng, 2, 3, 2, 6, torch.float64)
    calls = [(q, k, 3), (q, k, 8), (q, k, 3, 100.0)]
    assert_repeatable(solution.rope_decode, reference.rope_decode, *calls)
    assert_global_state(
        solution.rope_decode, reference.rope_decode, (q, k, 3), (*cast((q, k), torch.float32), 3), tolerance=FLOAT32
    )
