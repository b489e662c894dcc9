"""Cases of `document_mask(doc_ids)`. Masks are exact, so most cases compare many rows in one frame."""

import torch

from judge.checks import Trial, assert_equal, assert_global_state, assert_same

KINDS = ("random", "two ids", "one document", "all different", "negative", "large", "24 bits", "32 bits", "53 bits",
         "64 bits", "strided")  # fmt: skip


def inputs(rng, B=2, T=5, kind=KINDS):
    """One call of these sizes; of ids with many bits, two that only the last or the first of them tells apart."""
    if kind == "one document":
        return Trial("document_mask", torch.zeros(B, T, dtype=torch.int64))
    if kind == "all different":
        return Trial("document_mask", torch.arange(B * T).view(B, T))
    if kind == "strided":
        return Trial("document_mask", rng.integers(0, 2, T, B).t())
    if kind.endswith("bits"):
        bits = int(kind.split()[0])
        pair = {32: (1, 1 + 2**32), 64: (-(2**63), 0)}.get(bits, (2**bits, 2**bits + 1))
        return Trial("document_mask", torch.tensor(pair)[rng.integers(0, 2, B, T)])
    if kind == "large":
        return Trial("document_mask", 1024 * rng.integers(0, 2, B, T))
    low, high = {"two ids": (0, 2), "negative": (-2, 1)}.get(kind, (0, 4))
    return Trial("document_mask", rng.integers(low, high, B, T))


def runs(*lengths):
    """One row of documents of these lengths, numbered from 0."""
    return torch.repeat_interleave(torch.arange(len(lengths)), torch.tensor(lengths))[None]


def test_example_id_comes_back(solution, reference):
    """Three documents in a row of four tokens; the third has the id of the first"""
    assert_same(solution.document_mask, reference.document_mask, (torch.tensor([[5, 5, 2, 5]]),))


def test_example_two_rows(solution, reference):
    """Two rows with documents of their own"""
    assert_same(solution.document_mask, reference.document_mask, (torch.tensor([[0, 0, 0], [7, 8, 8]]),))


def test_ascending(solution, reference):
    """Documents of several lengths with ascending ids

    Guards: documents that do not begin or end where the id changes.
    """
    rows = [runs(2, 3), runs(1, 4, 1), runs(3, 1, 2), runs(6), runs(1, 1, 1, 1)]
    assert_same(solution.document_mask, reference.document_mask, *((row,) for row in rows))


def test_any_order(solution, reference):
    """Ids in any order, none of them twice

    Guards: a new document seen only where the id grows, or counted by its id.
    """
    rows = [[9, 9, 4, 4, 4, 7], [3, 2, 2, 1, 0, 0], [8, 1, 1, 6, 0, 0]]
    assert_same(solution.document_mask, reference.document_mask, *((torch.tensor([row]),) for row in rows))


def test_ids_come_back(solution, reference, rng):
    """Ids come back later in the row as new documents

    Guards: equal ids taken for one document, ids compared with those of two tokens before, sums that cancel.
    """
    rows = [[0, 1, 0, 1, 0, 1], [1, 1, 0, 0, 1, 1], [2, 0, 1, 2, 2, 0], [4, 4, 3, 4, 4, 3]]
    drawn = [rng.integers(0, n, 3, 9) for n in (2, 3, 5)]
    assert_same(solution.document_mask, reference.document_mask, (torch.tensor(rows),), *((ids,) for ids in drawn))


def test_rows_differ(solution, reference, rng):
    """Every row of the batch has its own documents; what a row ends with tells nothing of the next

    Guards: the first row taken for all, documents that run on from row to row, axes mixed up where B = T.
    """
    calls = [rng.integers(0, 3, B, T).sort(dim=1).values for B, T in ((4, 6), (5, 5), (6, 2))]
    calls += [torch.tensor([[0, 1, 1], [1, 1, 0], [0, 0, 0]]), torch.zeros(3, 4, dtype=torch.int64)]
    assert_same(solution.document_mask, reference.document_mask, *((ids,) for ids in calls))


def test_any_ids(solution, reference):
    """Ids may be negative or very large

    Guards: ids used as indices or sizes, ids rounded or cut to 32 bits, -1 or 0 taken for padding.
    """
    rows = [[-1, -1, 0, 0, -1, -7], [2**24, 2**24 + 1, 2**24, 2**24, 5, 5], [1, 1 + 2**32, 1, 2**62, 2**62, 3]]
    rows += [[2**53, 2**53 + 1, 2**53 + 1, 0, 256, 512], [0, 1024, 0, -1024, 2048, 2048]]
    rows += [[-(2**63), 2**63 - 1, -1, 2**62, -(2**62), 0]]
    assert_same(solution.document_mask, reference.document_mask, *((torch.tensor([row]),) for row in rows))


def test_sizes(solution, reference):
    """One token, one row, odd and longer sizes

    Guards: squeezed axes, neighbours of a token that has none, documents counted in eight bits.
    """
    ids = torch.arange(300)
    calls = [torch.tensor([[3]]), torch.tensor([[3], [3], [4]]), torch.tensor([[1, 1]]), torch.tensor([[1, 2]])]
    calls += [(ids // 7 % 3)[None], (ids % 2)[None], torch.stack([ids // 100, ids // 299])]
    assert_same(solution.document_mask, reference.document_mask, *((row,) for row in calls))


def test_layouts(solution, reference, rng):
    """Strided and expanded ids

    Guards: views that need contiguous memory, writing into rows that share it.
    """
    ids = rng.integers(0, 3, 4, 6)
    calls = [ids.t(), ids[:, ::2], ids[::2, 1:5], ids[:1].expand(3, 6), ids[:, :1].expand(4, 5)]
    assert_same(solution.document_mask, reference.document_mask, *((view,) for view in calls))


def test_fresh_data(solution, reference, rng):
    """Other ids give other masks, whatever the caller has set; the ids stay as they are

    Guards: a mask kept from an earlier call, ids renumbered in place.
    """
    first, second = torch.tensor([[0, 0, 1, 1, 0]]), torch.tensor([[2, 2, 2, 0, 0]])
    kept = first.clone()
    calls = [(first,), (second,), (torch.zeros(1, 5, dtype=torch.int64),), (first[:, :3],), (first,)]
    assert_same(solution.document_mask, reference.document_mask, *calls)
    assert_equal(first, kept, of="doc_ids")
    assert_global_state(solution.document_mask, reference.document_mask, (rng.integers(0, 3, 2, 6),))
