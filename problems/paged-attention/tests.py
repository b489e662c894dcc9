"""Cases of `paged_attention`. Slots in no use are 300 times as large as the others, so that reading one shows."""

import math

import torch

from judge.checks import (
    Trial,
    assert_dtypes,
    assert_equal,
    assert_global_state,
    assert_jacobian,
    assert_layouts,
    assert_repeatable,
    assert_same,
    cast,
)

STALE = 300.0
NAMES = ("q", "k_cache", "v_cache", "block_table", "context_lens")


def inputs(
    rng, B=2, H=2, D=2, block=3, blocks=2, tail=3, kind=("plain", "spare", "empty", "shared", "shuffled", "rising")
):
    """One call of these sizes; the last block of the longest sequence holds `tail` tokens."""
    if tail > block:
        return None
    longest = (blocks - 1) * block + tail
    lengths = [max(1, longest - 2 * b) for b in range(B)]
    if kind == "empty":
        lengths[-1] = 0
    if kind == "rising":
        lengths.reverse()
    free, order = int(kind != "plain"), "random" if kind == "shuffled" else "falling"
    call = draw(rng, H, D, block, lengths, spare=int(kind == "spare"), free=free, order=order)
    if kind == "shared":
        call[3][:, 0] = call[3][0, 0]
    return Trial("paged_attention", *call, gradients=kind != "empty")


def draw(rng, H, D, block, lengths, spare=0, free=1, order="random", dtype=torch.float32):
    """Sequences of these lengths in a pool with `free` blocks more; `spare` columns of -1 more in the table."""
    counts = [-(-length // block) for length in lengths]
    N = sum(counts) + free
    ids = {"random": rng.permutation(N), "rising": torch.arange(N), "falling": torch.arange(sum(counts)).flip(0)}[order]
    rows = ids[: sum(counts)].split(counts)
    table = torch.full((len(lengths), max(1, *counts) + spare), -1)
    k_cache, v_cache = (STALE * rng.randn(N, block, H, D, dtype=dtype) for _ in range(2))
    for row, length, mine in zip(table, lengths, rows, strict=True):
        row[: len(mine)] = mine
        put(k_cache, mine, rng.randn(length, H, D, dtype=dtype))
        put(v_cache, mine, rng.randn(length, H, D, dtype=dtype))
    return rng.randn(len(lengths), H, D, dtype=dtype), k_cache, v_cache, table, torch.tensor(lengths)


def put(cache, blocks, tokens):
    """Writes the tokens of a sequence into its blocks."""
    positions = torch.arange(len(tokens))
    cache[blocks[positions // cache.size(1)], positions % cache.size(1)] = tokens


def column(*blocks):
    """A cache of one head and width 1."""
    return torch.tensor(blocks, dtype=torch.float32)[..., None, None]


def test_example_by_hand(solution, reference):
    """Two sequences in a pool of four blocks, by hand"""
    q = torch.full((2, 1, 1), math.log(3.0))
    k_cache = column([0, 800], [700, 700], [1, 0], [1, -600])
    v_cache = column([20, -900], [900, 900], [5, 10], [7, 900])
    call = (q, k_cache, v_cache, torch.tensor([[2, 0], [3, -1]]), torch.tensor([3, 1]))
    assert_same(solution.paged_attention, reference.paged_attention, call)


def test_example_shared_block(solution, reference):
    """Two sequences with the same first block"""
    q = torch.tensor([[[0.0]], [[1.0]]])
    k_cache = column([2, 1], [500, 500], [0, 400], [1, 0])
    v_cache = column([1, 2], [800, 800], [6, 700], [4, 8])
    call = (q, k_cache, v_cache, torch.tensor([[0, 2], [0, 3]]), torch.tensor([3, 4]))
    assert_same(solution.paged_attention, reference.paged_attention, call)


def test_values(solution, reference, rng):
    """Several sequences, heads and blocks of different sizes

    Guards: all sizes differ, so that no two axes can be mixed up; B = H = block = D = 3 in the last call.
    """
    calls = [draw(rng, 3, 8, 4, [9, 6]), draw(rng, 2, 5, 3, [7, 2, 10, 4], free=3), draw(rng, 4, 6, 2, [5, 3, 1])]
    calls += [draw(rng, 3, 3, 3, [7, 9, 4])]
    assert_same(solution.paged_attention, reference.paged_attention, *calls)


def test_order_of_blocks(solution, reference, rng):
    """Blocks in any order, block 0 and the last one among them

    Guards: blocks read as neighbours, sorted tables, ids that are taken for something else. Lengths leave rests.
    """
    calls = [draw(rng, 2, 4, 3, [8, 5], free=0, order=order) for order in ("rising", "falling", "random", "random")]
    one = draw(rng, 2, 4, 3, [7])
    for row in ([0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1], [1, 0, 2], [0, 2, 1], [3, 0, 1]):
        calls.append((*one[:3], torch.tensor([row]), one[4]))
    assert_same(solution.paged_attention, reference.paged_attention, *calls)


def test_lengths(solution, reference, rng):
    """Every length from one token to three whole blocks, and wider tables than needed

    Guards: lengths one off, whole last blocks, entries of -1 that are read; orders and lengths of rows differ.
    """
    calls = [draw(rng, 2, 5, 3, [length], spare=length % 3) for length in range(1, 10)]
    calls += [draw(rng, 2, 4, 4, [4, 8, 12], spare=1), draw(rng, 3, 4, 4, [12, 1, 4, 7], spare=2)]
    assert_same(solution.paged_attention, reference.paged_attention, *calls)


def test_shared_blocks(solution, reference, rng):
    """Sequences that share blocks

    Guards: tables turned around into one owner for each block. The last block is shared too, at two lengths.
    """
    q, k_cache, v_cache, table, lengths = draw(rng, 2, 4, 3, [8, 7, 9], free=0)
    table[1, :2] = table[0, :2]
    table[2] = table[0]
    lengths[2] = 7
    same = table[:1].expand(3, 3).contiguous()
    calls = [(q, k_cache, v_cache, table, lengths), (q, k_cache, v_cache, same, torch.tensor([8, 8, 8]))]
    assert_same(solution.paged_attention, reference.paged_attention, *calls)


def test_zero_keys(solution, reference, rng):
    """Tokens whose key or value is zero are tokens

    Guards: slots in use guessed from their content.
    """
    q, k_cache, v_cache, table, lengths = draw(rng, 2, 4, 2, [5, 3])
    k_cache[table[0, 1]] = 0.0
    v_cache[table[1, 0]] = 0.0
    q[1, 0] = 0.0
    zeros = (torch.zeros_like(q), torch.zeros_like(k_cache), v_cache, table, lengths)
    assert_same(solution.paged_attention, reference.paged_attention, (q, k_cache, v_cache, table, lengths), zeros)


def test_dtypes(solution, reference, rng):
    """float64 exact, float16 and bfloat16 kept

    Guards: a float32 step inside, results of another dtype, constants that do not fit.
    """
    q, *others = draw(rng, 2, 7, 4, [7, 5, 9], dtype=torch.float64)
    assert_same(
        solution.paged_attention, reference.paged_attention, (5.0 * q, *others)
    )  # far-apart scores show float32
    calls = [draw(rng, 2, 7, 4, [7, 5]), draw(rng, 3, 8, 2, [3, 4, 1], spare=1)]
    assert_dtypes(solution.paged_attention, reference.paged_attention, *calls)


def test_gradients(solution, reference, rng):
    """Gradients of q and of both caches

    Guards: detached steps; slots in no use get zeros, shared blocks the sum of both sequences.
    """
    double = draw(rng, 2, 5, 3, [7, 4], dtype=torch.float64)
    shared = draw(rng, 2, 4, 2, [4, 3], dtype=torch.float64)
    shared[3][1, 0] = shared[3][0, 0]
    calls = [double, shared, draw(rng, 3, 4, 2, [3, 1, 5], spare=1)]
    assert_same(solution.paged_attention, reference.paged_attention, *calls, gradients=True)


def test_who_reads_what(solution, reference, rng):
    """Each query reads the slots of its own sequence and head, all of them and no others

    Guards: leaks between sequences and heads too small for the comparison of values.
    """
    call = draw(rng, 2, 3, 2, [5, 3, 2], dtype=torch.float64)
    q, k_cache, v_cache, *rest = call
    calm = (q, k_cache.clamp(-2.0, 2.0), v_cache, *rest)  # stale keys that would get a little weight
    for arguments in (call, calm):
        assert_jacobian(solution.paged_attention, reference.paged_attention, arguments, argument=(0, 1, 2), names=NAMES)


def test_empty_sequence(solution, reference, rng):
    """A sequence of length 0 returns zeros

    Guards: 0/0, the mean of stale values, its neighbours changed with it; a table without any block.
    """
    calls = [
        draw(rng, 2, 4, 3, [5, 0, 2]),
        draw(rng, 2, 4, 3, [0, 7]),
        draw(rng, 2, 5, 2, [0]),
        draw(rng, 1, 3, 2, [0, 0]),
    ]
    calls += [cast(calls[0], torch.float16), cast(calls[1], torch.float64)]
    assert_same(solution.paged_attention, reference.paged_attention, *calls)


def test_sizes(solution, reference, rng):
    """One sequence, one head, blocks of one slot, blocks larger than a text, a long text

    Guards: squeezed axes, tables read in pieces of a fixed size, block numbers that take more than eight bits.
    """
    calls = [draw(rng, 1, 1, 1, [1], free=0), draw(rng, 1, 3, 1, [5]), draw(rng, 3, 1, 1, [4, 2])]
    calls += [draw(rng, 2, 5, 64, [3, 9]), draw(rng, 1, 8, 16, [261]), draw(rng, 2, 33, 7, [50, 71], free=4)]
    calls += [draw(rng, 7, 2, 5, [1, 1, 1, 1, 1]), draw(rng, 1, 2, 1, [290, 20])]
    assert_same(solution.paged_attention, reference.paged_attention, *calls)


def test_layouts(solution, reference, rng):
    """Strided, expanded and shared inputs

    Guards: views that need contiguous memory: one pool for keys and values, heads before slots, a part of a table.
    """
    call = draw(rng, 3, 4, 2, [5, 3], spare=2)
    assert_layouts(solution.paged_attention, reference.paged_attention, call)
    q, k_cache, v_cache, table, lengths = call
    pool = torch.stack([k_cache, v_cache], dim=1)
    turned = [cache.transpose(1, 2).contiguous().transpose(1, 2) for cache in (k_cache, v_cache)]
    calls = [(q, pool[:, 0], pool[:, 1], table[:, :3], lengths), (q, *turned, table.t().contiguous().t(), lengths)]
    assert_same(solution.paged_attention, reference.paged_attention, *calls)


def test_fresh_data(solution, reference, rng):
    """Inputs stay as they are, other data and other tables give other results

    Guards: caches cleaned in place, blocks gathered in an earlier call.
    """
    first = draw(rng, 2, 4, 3, [8, 5])
    kept = [argument.clone() for argument in first]
    assert_repeatable(solution.paged_attention, reference.paged_attention, first)
    q, k_cache, v_cache, table, lengths = first
    calls = [
        first,
        (q, k_cache, v_cache, table.flip(0), lengths.flip(0)),
        (q, k_cache, v_cache, table, lengths - 1),
        first,
    ]
    assert_same(solution.paged_attention, reference.paged_attention, *calls)
    for name, argument, before in zip(NAMES, first, kept, strict=True):
        assert_equal(argument, before, of=name)


def test_global_state(solution, reference, rng):
    """The caller's settings of torch do not matter

    Guards: tensors made in the default dtype, memory that is read before it is written.
    """
    assert_global_state(solution.paged_attention, reference.paged_attention, draw(rng, 2, 4, 3, [8, 0, 5], spare=1))


def test_large_scores(solution, reference, rng):
    """Scores of 10000 and -10000

    Guards: exp without the row's own maximum, a finite number as minus infinity. D = 16 and whole numbers keep every
    score exact; gaps of 1000 and more leave one weight of 1. Stale keys score higher than all others, or lower, and a
    text of one token has nothing but a score of 10000 or -10000.
    """
    lengths = [5, 3, 1]
    keys = torch.tensor([180.0, 160.0, 200.0, 140.0, 120.0])
    _, _, v_cache, table, context_lens = draw(rng, 2, 16, 2, lengths)
    k_cache = torch.zeros_like(v_cache)
    k_cache[:, :, 0, 3], k_cache[:, :, 1, 3] = 220.0, -220.0
    for mine, length in zip(table, lengths, strict=True):
        for p in range(length):
            key = 200.0 if length == 1 else float(keys[p])
            k_cache[mine[p // 2], p % 2, 0, 3], k_cache[mine[p // 2], p % 2, 1, 3] = key, -key
    q = torch.zeros(3, 2, 16)
    q[:, 0, 3], q[:, 1, 3] = 200.0, -200.0
    both = torch.cat([q, -q]), k_cache, v_cache, table.repeat(2, 1), context_lens.repeat(2)
    calls = [cast(both, dtype) for dtype in (torch.float32, torch.float64)]
    assert_same(solution.paged_attention, reference.paged_attention, *calls, gradients=True)
