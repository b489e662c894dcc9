"""Frames keep values and layouts, and no bytes make the decoder do anything but answer or raise WireError."""

from __future__ import annotations

import json
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox import wire


def through(tensors: list[torch.Tensor], *, keep_layout: bool = True) -> list[torch.Tensor]:
    data = wire.encode({}, tensors, keep_layout=keep_layout)
    header_size, body_size = wire.read_prefix(data[: wire.PREFIX.size])
    start = wire.PREFIX.size + header_size
    frame = wire.decode(data[wire.PREFIX.size : start], bytearray(data[start:]), contiguous=not keep_layout)
    assert len(data) == start + body_size
    return frame.tensors


@pytest.mark.parametrize("dtype", wire.NAMES, ids=str)
def test_every_dtype_survives(dtype: torch.dtype) -> None:
    tensor = (torch.arange(12) % 3).reshape(3, 4).to(dtype)
    for keep_layout in (True, False):
        (back,) = through([tensor], keep_layout=keep_layout)
        assert back.dtype == dtype
        assert torch.equal(back, tensor)


@given(
    st.lists(st.integers(0, 4), max_size=4),
    st.permutations(range(4)),
    st.integers(0, 3),
    st.integers(1, 3),
)
def test_layouts_survive(shape: list[int], order: list[int], offset: int, step: int) -> None:
    base = torch.arange(3000.0)[offset:]
    strides = [step * (1 + place) for place in order[: len(shape)]]
    tensor = base.as_strided(shape, strides, base.storage_offset())
    (back,) = through([tensor])
    assert list(back.shape) == shape
    assert torch.equal(back, tensor)
    if tensor.numel():
        assert back.stride() == tensor.stride()


def test_one_storage_travels_once() -> None:
    base = torch.zeros(1000)
    data = wire.encode({}, [base, base[10:], base.view(10, 100).t()])
    assert len(data) < 5000
    one, other = through([base, base])
    one[0] = 7
    assert other[0] == 7


def test_results_travel_contiguous() -> None:
    (back,) = through([torch.zeros(1).expand(5, 4).t()], keep_layout=False)
    assert back.is_contiguous()


trees = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 70), 1 << 70) | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(trees)
def test_values_survive(value: Any) -> None:
    tree = json.loads(json.dumps(wire.encode_value(value, [], lambda odd: "odd")))
    assert wire.decode_value(tree, []) == value


@pytest.mark.parametrize(
    "value",
    [object(), {1: 2}, b"x", 10**5000, "x" * 200_000, [[0] * 200] * 200, range(3)],
    ids=["object", "keys", "bytes", "int", "text", "list", "range"],
)
def test_what_cannot_travel_is_named_or_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        wire.encode_value(value, [])
    assert "odd" in json.dumps(wire.encode_value(value, [], lambda item: "odd"))


def test_a_claimed_size_over_the_cap_is_refused_before_it_is_read() -> None:
    for header, body in ((1 << 31, 0), (100, 1 << 40), (0, 0)):
        with pytest.raises(wire.WireError):
            wire.read_prefix(wire.PREFIX.pack(wire.MAGIC, header, body))


entries = st.lists(st.integers(-2, 1 << 41) | st.none() | st.lists(st.integers(-2, 1 << 41), max_size=4), max_size=6)
described = st.tuples(
    st.integers(-1, 3),
    st.sampled_from([*wire.DTYPES, "object", ""]),
    st.lists(st.integers(-1, 1 << 41), max_size=5),
    st.lists(st.integers(-1, 1 << 41), max_size=5),
    st.integers(-1, 1 << 41),
).map(list)


@settings(max_examples=300)
@given(
    st.lists(st.tuples(st.integers(-1, 300), st.integers(-1, 300)), max_size=3),
    st.lists(entries | described, max_size=3),
)
def test_malformed_tables_are_wire_errors(storages: Any, tensors: Any) -> None:
    header = json.dumps({"storages": storages, "tensors": tensors}).encode()
    for contiguous in (True, False):
        try:
            frame = wire.decode(header, bytearray(256), contiguous=contiguous)
        except wire.WireError:
            continue
        for tensor in frame.tensors:
            assert tensor.numel() * tensor.element_size() <= wire.MAX_BODY


@settings(max_examples=300)
@given(st.binary(max_size=200))
def test_random_headers_are_wire_errors(data: bytes) -> None:
    with pytest.raises(wire.WireError):
        wire.decode(data, bytearray(64))


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"a":' * 50_000, "9" * 5000, '"\\ud800', "null", "[]", '{"tensors":[]}']
)
def test_odd_json_is_a_wire_error(text: str) -> None:
    with pytest.raises(wire.WireError):
        wire.decode(text.encode(), bytearray())


@pytest.mark.parametrize(
    "tree", [{"t": 5}, {"t": True}, {"t": -1}, {"x": 1}, {"t": 0, "u": 1}, {"tuple": 3}, {"dict": []}]
)
def test_malformed_values_are_wire_errors(tree: Any) -> None:
    with pytest.raises(wire.WireError):
        wire.decode_value(tree, [torch.zeros(1)])
