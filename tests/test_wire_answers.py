"""Whatever a child sends, the host raises its own errors only, keeps no more than was sent, and ends.

The answers go the way of real ones: session, decoder, connection, stand-in, checks; see `fuzz/answers.py`. The corpus
is what the coverage-guided run (`fuzz/run.py`) kept, and every input that once broke a rule.
"""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from fuzz.answers import OWN, RAW, REQUESTS, feed, pack
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox import wire

CORPUS = sorted((Path(__file__).parent / "fuzz" / "corpus").iterdir())
ENDINGS = {"value", *(error.__name__ for error in OWN)}
KEYS = (
    "value", "error", "ok", "changed", "foreign", "too_large", "bytes", "not_module", "attached", "graph", "gradients",
    "parameters", "buffers", "kind", "type", "message", "line", "found", "name", "text", "trace", "measured",
)  # fmt: skip

leaves = (
    st.none()
    | st.booleans()
    | st.sampled_from([0, 1, 2, -1, 64, 1 << 31, 1 << 63, 1 << 70, float("nan"), float("inf")])
    | st.sampled_from(["", "coroutine", "restricted", "memory", "syntax", "missing", "not_callable", "load", "\ud800"])
    | st.just({"t": 0})
    | st.just({"t": 1})
)
trees = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)
        | st.dictionaries(st.sampled_from(["tuple", "dict", "other", "t"]), inner, max_size=1)
        | st.tuples(st.sampled_from(["weight", "a.b", "", "forward", "." * 40]), inner, inner).map(list)
    ),
    max_leaves=12,
)
results = st.dictionaries(st.sampled_from(KEYS), trees, max_size=6)
tables = st.sampled_from([
    {"storages": [], "tensors": []},
    {"storages": [[0, 24]], "tensors": [[0, "float32", [2, 3], [3, 1], 0]]},
    {"storages": [[0, 24], [64, 24]], "tensors": [[n, "float32", [2, 3], [3, 1], 0] for n in (0, 1)]},
    {"storages": [[0, 24]], "tensors": [[0, "float32", [2, 3], [3, 1], 0]] * 2},
    {"storages": [[0, 2]], "tensors": [[0, "bool", [2], [1], 0]]},
])  # fmt: skip


def headers(request: int) -> Any:
    """What a load answers, or calls do."""
    if request == 0:
        return st.dictionaries(st.sampled_from(["ok", "error"]), trees | results, max_size=2)
    return st.fixed_dictionaries({"results": st.lists(results | trees, max_size=2) | trees}, optional={"error": trees})


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_the_corpus_ends_in_our_own_errors(path: Path) -> None:
    assert feed(path.read_bytes()) in ENDINGS


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@pytest.mark.parametrize("request_", range(len(REQUESTS)), ids=lambda n: REQUESTS[n].__name__)
@given(st.data())
def test_odd_answers_end_in_our_own_errors(request_: int, data: st.DataObject) -> None:
    parts = data.draw(st.lists(st.tuples(headers(request_), tables), min_size=1, max_size=2))
    answers = [(json.dumps(header | table).encode(), bytes(88)) for header, table in parts]
    assert feed(pack(request_, answers)) in ENDINGS


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=100), st.integers(0, 1 << 21), st.integers(0, 1 << 63))
def test_odd_bytes_end_in_our_own_errors(rest: bytes, header: int, body: int) -> None:
    for start in (b"", wire.MAGIC, wire.PREFIX.pack(wire.MAGIC, header, body)):
        assert feed(bytes([RAW | 1]) + start + rest) == "SessionEnded"


@pytest.mark.parametrize("depth", [*range(900, 1000, 7), 5000])
@pytest.mark.parametrize("request_", range(len(REQUESTS)))
def test_deep_answers_end_in_our_own_errors(request_: int, depth: int) -> None:
    deep = b"[" * depth + b"]" * depth
    text = b'{"error":{"kind":"load","type":%s,"message":%s},"results":[{"foreign":%s}],"storages":[],"tensors":[]}'
    assert feed(pack(request_, [(text.replace(b"%s", deep), b"")])) in ENDINGS


@pytest.mark.parametrize("part", ["[],", "{},", '{"":0},', "1.5,", '"ab",', "[[]],"])
def test_a_header_costs_little_more_than_its_size(part: str) -> None:
    header = f'{{"a":[{part * (wire.MAX_HEADER // len(part) - 20)}0],"storages":[],"tensors":[]}}'.encode()
    assert len(header) <= wire.MAX_HEADER
    assert peak(lambda: wire.decode(header, bytearray())) < 48 * wire.MAX_HEADER


def test_a_claimed_size_costs_nothing() -> None:
    claim = bytes([RAW | 1]) + wire.PREFIX.pack(wire.MAGIC, wire.MAX_HEADER, 2 * wire.MAX_RESULT)
    feed(claim)
    assert peak(lambda: feed(claim)) < 1 << 20


def peak(work: Any) -> int:
    """Bytes of Python objects that `work` had at once."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
