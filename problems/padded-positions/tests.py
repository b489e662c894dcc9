"""Cases of `padded_positions(attention_mask)`. Positions are exact, so each case compares several masks."""

import torch

from judge.checks import Trial, assert_equal, assert_global_state, assert_same


def left(T, *lengths):
    """A row for each length: padding, then that many real tokens."""
    return (torch.arange(T) >= T - torch.tensor(lengths)[:, None]).long()


def right(T, *lengths):
    """A row for each length: that many real tokens, then padding."""
    return left(T, *lengths).flip(-1)


def inputs(rng, B=2, T=4, kind=("left", "right", "none", "either", "empty row", "strided")):
    """One mask of this size."""
    lengths = [max(1, T - b - 1) for b in range(B)]
    masks = {"left": left(T, *lengths), "right": right(T, *lengths), "none": right(T, *[T] * B)}
    masks["either"] = torch.stack([row.flip(-1) if b % 2 else row for b, row in enumerate(left(T, *lengths))])
    masks["empty row"] = left(T, *lengths[:-1], 0)
    masks["strided"] = masks["left"].t().contiguous().t()
    return Trial("padded_positions", masks[kind])


def test_example_left_padding(solution, reference):
    """Padding on the left: real tokens count from 0"""
    mask = torch.tensor([[0, 0, 1, 1], [1, 1, 1, 1]])
    assert_same(solution.padded_positions, reference.padded_positions, (mask,))


def test_example_right_padding(solution, reference):
    """Padding on the right: 0 at padding"""
    mask = torch.tensor([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]])
    assert_same(solution.padded_positions, reference.padded_positions, (mask,))


def test_left_padding(solution, reference, rng):
    """Padding on the left, different in each row

    Guards: counting from the start of the row, one shift for the whole batch, padding below 0.
    """
    calls = [
        (left(6, 2, 5, 6, 1),),
        (left(9, 4, 7),),
        (left(5, 1, 2, 3, 4, 5),),
        (left(8, *rng.integers(1, 9, 4).tolist()),),
    ]
    assert_same(solution.padded_positions, reference.padded_positions, *calls)


def test_right_padding(solution, reference, rng):
    """Padding on the right, different in each row

    Guards: padding that goes on counting or keeps the last position.
    """
    calls = [
        (right(6, 2, 5, 6, 1),),
        (right(9, 4, 7),),
        (right(5, 1, 2, 3, 4, 5),),
        (right(8, *rng.integers(1, 9, 4).tolist()),),
    ]
    assert_same(solution.padded_positions, reference.padded_positions, *calls)


def test_no_padding(solution, reference):
    """No padding

    Guards: code that needs a padding token to find, positions that begin at 1.
    """
    assert_same(solution.padded_positions, reference.padded_positions, (right(5, 5, 5, 5),), (right(7, 7),))


def test_both_sides(solution, reference):
    """Rows padded on different sides in one batch

    Guards: the side looked up in one row and taken for all.
    """
    rows = [left(7, 3), right(7, 3), right(7, 7), left(7, 6), right(7, 1), left(7, 1)]
    calls = [(torch.cat(rows),), (torch.cat(rows[::-1]),), (torch.cat(rows[2:4]),)]
    assert_same(solution.padded_positions, reference.padded_positions, *calls)


def test_single_real_token(solution, reference):
    """Rows with one real token

    Guards: lengths taken for positions. All is 0 there, real or not.
    """
    calls = [(left(5, 1, 1),), (right(5, 1, 1),), (torch.cat([left(4, 1), right(4, 1)]),)]
    assert_same(solution.padded_positions, reference.padded_positions, *calls)


def test_rows_of_padding(solution, reference):
    """Rows of padding only: all 0

    Guards: a first real token that does not exist.
    """
    calls = [(left(5, 3, 0, 5),), (right(5, 0, 2),), (left(4, 0, 0),), (left(1, 0),)]
    assert_same(solution.padded_positions, reference.padded_positions, *calls)


def test_sizes(solution, reference):
    """One row, one column, long rows, many rows

    Guards: squeezed axes, counts kept in eight bits.
    """
    calls = [(left(1, 1),), (left(1, 1, 1),), (left(6, 4),), (left(700, 300, 520, 700),), (right(700, 300, 520, 700),)]
    assert_same(solution.padded_positions, reference.padded_positions, *calls, (left(3, *[1, 2, 3] * 100),))


def test_layouts(solution, reference):
    """Strided, transposed and expanded masks; the mask stays as it is

    Guards: views that need contiguous memory, masks changed in place.
    """
    mask = torch.cat([left(6, 4, 5), right(6, 3)])
    before = mask.clone()
    turned = mask.t().contiguous().t()
    wide = torch.stack([mask, 1 - mask], dim=-1).flatten(1)
    calls = [(turned,), (wide[:, ::2],), (left(6, 4).expand(3, 6),), (mask[:, 1:5],), (mask,)]
    assert_same(solution.padded_positions, reference.padded_positions, *calls)
    assert_equal(mask, before, of="attention_mask")


def test_fresh_data(solution, reference):
    """Another mask gives other positions, whatever the caller has set

    Guards: positions kept from an earlier call of the same shape, torch's default dtype.
    """
    masks = [left(6, 4, 2), left(6, 3, 5), right(6, 4, 2), left(6, 4, 2)]
    assert_same(solution.padded_positions, reference.padded_positions, *[(mask,) for mask in masks])
    assert_global_state(solution.padded_positions, reference.padded_positions, (masks[0],), (masks[2],))
