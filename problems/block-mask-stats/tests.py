"""Cases of `block_stats(mask, block)`. Counts are exact, so each case compares many masks in one frame."""

import torch

from judge.checks import Trial, assert_equal, assert_same


def inputs(
    rng, T=4, S=4, block=3, kind=("random", "causal", "full", "empty", "one hidden", "one visible", "turned", "hollow")
):
    """One call of these sizes."""
    if kind == "hollow":
        mask = torch.ones(T, S, dtype=torch.bool)
        mask[1 : block - 1, 1 : block - 1] = False
        return Trial("block_stats", mask, block)
    return Trial("block_stats", draw(rng, T, S, kind), block)


def draw(rng, T, S, kind):
    if kind == "random":
        return rng.mask(T, S)
    if kind == "turned":
        return rng.mask(S, T).t()
    if kind == "causal":
        return torch.ones(T, S, dtype=torch.bool).tril(max(0, S - T))
    mask = torch.full((T, S), kind in ("full", "one hidden"))
    if kind in ("one hidden", "one visible"):
        row, column = rng.integer(0, T), rng.integer(0, S)
        mask[row, column] = ~mask[row, column]
    return mask


def blotches(rng, T, S, block):
    """A mask whose tiles are full, empty or mixed by chance, ragged ones included."""
    rows, columns = -(-T // block), -(-S // block)
    whole = rng.mask(rows, columns).repeat_interleave(block, 0).repeat_interleave(block, 1)[:T, :S]
    mixed = rng.mask(rows, columns, p=0.4).repeat_interleave(block, 0).repeat_interleave(block, 1)[:T, :S]
    return torch.where(mixed, rng.mask(T, S), whole)


def test_example_causal(solution, reference):
    """Causal, five tokens, tiles of two"""
    assert_same(solution.block_stats, reference.block_stats, (torch.ones(5, 5, dtype=torch.bool).tril(), 2))


def test_example_documents(solution, reference):
    """Two documents in one row of tokens"""
    documents = torch.tensor([0, 0, 0, 1, 1, 1, 1])
    mask = documents[:, None] == documents
    assert_same(solution.block_stats, reference.block_stats, (mask, 3))


def test_any_mask(solution, reference, rng):
    """Masks of any shape, all tiles of one size

    Guards: what holds for causal masks only, and swapped counts: the three counts of each mask differ.
    """
    mask = torch.ones(12, 12, dtype=torch.bool)  # tiles of 4: 4 full, 2 partial, 3 skipped
    mask[4:8, 4:8] = mask[8:, :4] = mask[:4, 8:] = False
    mask[5, 6] = True
    mask[0, 5] = False
    calls = [(mask, 4), (~mask, 4), (mask.flip(0), 4), (mask[:, :8], 4), (mask[:8], 4)]
    calls += [(blotches(rng, T, S, block), block) for T, S, block in ((6, 10, 2), (12, 6, 3), (20, 10, 5))]
    assert_same(solution.block_stats, reference.block_stats, *calls)


def test_single_elements(solution, reference):
    """One hidden or one visible pair, at each place of a tile

    Guards: tiles judged by their corners, their diagonal, or by rows and columns.
    """
    calls = []
    for row in range(3):
        for column in range(3):
            mask = torch.zeros(6, 9, dtype=torch.bool)
            mask[3 + row, 3 + column] = True
            calls += [(mask, 3), (~mask, 3)]
    assert_same(solution.block_stats, reference.block_stats, *calls)


def test_spread_inside_a_tile(solution, reference):
    """Each row and each column of a tile sees something, but not everything

    Guards: rows and columns looked at one after the other, a share of visible pairs that is rounded.
    """
    diagonal = torch.eye(4, dtype=torch.bool).repeat(2, 3)
    stripes = torch.zeros(4, 12, dtype=torch.bool)
    stripes[:, ::4] = True
    inside = torch.zeros(4, 8, dtype=torch.bool)
    inside[1:3, 5:7] = True
    thin = torch.ones(40, 80, dtype=torch.bool)
    thin[17, 23] = False
    masks = [(diagonal, 4), (~diagonal, 4), (stripes, 4), (stripes.t().contiguous(), 4), (~stripes, 4), (inside, 4)]
    assert_same(solution.block_stats, reference.block_stats, *masks, (thin, 40), (~thin, 40))


def test_ragged_edges(solution, reference, rng):
    """Sizes that the tile does not divide

    Guards: edges dropped or padded; T and S differ, both ways round.
    """
    calls = []
    for T, S, block in ((5, 8, 3), (8, 5, 3), (7, 4, 4), (4, 7, 4), (9, 9, 2), (10, 13, 4)):
        calls += [(draw(rng, T, S, "full"), block), (draw(rng, T, S, "empty"), block)]
        calls += [(draw(rng, T, S, "causal"), block), (blotches(rng, T, S, block), block)]
    assert_same(solution.block_stats, reference.block_stats, *calls)


def test_tile_sizes(solution, reference, rng):
    """Tiles of one element, and tiles larger than the mask

    Guards: a tile size that must fit into the mask, a single row or column.
    """
    masks = [blotches(rng, 4, 6, 2), draw(rng, 5, 3, "full"), draw(rng, 3, 5, "empty")]
    masks += [draw(rng, 1, 7, "random"), draw(rng, 7, 1, "random"), draw(rng, 1, 1, "full"), draw(rng, 1, 1, "empty")]
    calls = [(mask, block) for mask in masks for block in (1, 2, 7, 64)]
    assert_same(solution.block_stats, reference.block_stats, *calls)


def test_large(solution, reference, rng):
    """Larger masks and tiles: history, a sliding window, documents

    Guards: counts of elements kept in eight bits; 16 x 16, 48 x 16 and half of 32 x 32 elements are 0 there.
    """
    rows, columns = torch.arange(300)[:, None], torch.arange(300)
    causal = columns <= rows
    window = causal & (rows - columns < 70)
    documents = causal & (rows // 77 == columns // 77)
    calls = [(causal[:150, :150], 16), (window, 32), (documents, 29), (causal[173:], 32), (~causal, 48)]
    halves = torch.arange(64)[:, None].expand(64, 96) % 32 < 16
    calls += [(halves, 32), (window[:, 20:150], 64), (blotches(rng, 100, 130, 16), 16)]
    calls += [(torch.ones(256, 512, dtype=torch.bool), 256)]
    assert_same(solution.block_stats, reference.block_stats, *calls)


def test_layouts(solution, reference, rng):
    """Strided and expanded masks

    Guards: views that need contiguous memory.
    """
    mask = blotches(rng, 8, 12, 4)
    wide = blotches(rng, 8, 24, 4)
    row = blotches(rng, 1, 12, 4)
    calls = [(mask.t(), 4), (wide[:, ::2], 4), (wide[:, 4:16], 4), (row.expand(8, 12), 4), (row.t().expand(12, 8), 4)]
    assert_same(solution.block_stats, reference.block_stats, *calls)


def test_fresh_data(solution, reference, rng):
    """The mask stays as it is, another mask gives other counts

    Guards: counts kept from an earlier call, masks changed in place.
    """
    first, second = blotches(rng, 8, 10, 3), draw(rng, 8, 10, "causal")
    kept = first.clone()
    assert_same(
        solution.block_stats, reference.block_stats, (first, 3), (second, 3), (~first, 3), (first, 4), (first, 3)
    )
    assert_equal(first, kept, of="mask")
