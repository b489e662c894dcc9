"""What a submission's process may send, given to the host's decoder as it would come. Used by `run.py` and the suite.

    input    request u8, then frames: header size u16, body size u16 (both cut to what is there), header, body
             request: what the host asked for, an index into REQUESTS; with RAW added, the rest is sent as it is

`feed` raises what is not one of the host's own errors, and AssertionError where it kept more than it may.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from typing import Any

import torch

from judge.checks import CheckFailed, assert_same
from judge.remote.connection import Connection, SubmissionFailed
from judge.remote.proxy import RemoteModule, Solution
from sandbox import Limits, SessionEnded, wire
from sandbox.limits import GREETING
from sandbox.session import FrameSession

RAW = 0x80
SIZES = struct.Struct("<HH")
OWN = (CheckFailed, SubmissionFailed, SessionEnded)


class Sent:
    """A channel on which everything has arrived already, in small parts."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def send(self, data: memoryview, seconds: float) -> int:
        return len(data)

    def receive(self, seconds: float) -> bytes:
        chunk, self.data = self.data[:1000], self.data[1000:]
        return chunk

    def peak_kb(self) -> int:
        return 0

    def close(self) -> None:
        self.data = b""


class Ended:
    """A supervisor whose child has ended."""

    warmed = True

    def tell(self, request: dict[str, Any]) -> None: ...

    def ask(self, request: dict[str, Any]) -> tuple[dict[str, Any], list[int]]:
        return {"op": "report", "stdout": "", "stderr": "", "peak_kb": 0, "ended": ("exit", 0)}, []


def attention(q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    return (q @ k.mT).softmax(-1) @ k


def _load(connection: Connection) -> None:
    connection.load(b"pass", {"attention": "function"}, [], 1.0)


def _value(connection: Connection) -> Any:
    return Solution(connection, {"attention": "function"}).attention(torch.zeros(2, 3), torch.ones(2, 3))


def _gradients(connection: Connection) -> None:
    ones = torch.ones(2, 3)
    call = (ones, ones.clone())
    assert_same(Solution(connection, {"attention": "function"}).attention, attention, call, call, gradients=True)


def _backward(connection: Connection) -> Any:
    q = torch.ones(2, 3, requires_grad=True)
    value = Solution(connection, {"attention": "function"}).attention(q, torch.ones(2, 3))
    if isinstance(value, torch.Tensor) and value.requires_grad:
        value.sum().backward()
    return value


def _module(connection: Connection) -> Any:
    made = Solution(connection, {"Attention": "class"}).Attention(4, 2)
    _bounded([*made.parameters(), *made.buffers()], len(connection.log[0][1].body))
    return made.double()(torch.ones(2, 4, dtype=torch.float64))


def _loaded(connection: Connection) -> Any:
    expected = torch.nn.Linear(3, 2)
    made = Solution(connection, {"Attention": "class"}).Attention.loaded(expected, 3, 2)
    assert_same(made, expected, (torch.ones(2, 3),), (torch.zeros(1, 3),), gradients=True)
    _bounded([*made.buffers()], len(connection.log[0][1].body))
    return made(torch.ones(2, 3))


REQUESTS: tuple[Callable[[Connection], Any], ...] = (_load, _value, _gradients, _backward, _module, _loaded)


def frames(data: bytes) -> list[tuple[bytes, bytes]]:
    """The headers and bodies of an input that is not raw."""
    found, place = [], 1
    while place + SIZES.size <= len(data):
        header, body = SIZES.unpack_from(data, place)
        place += SIZES.size
        found.append((data[place : place + header], data[place + header : place + header + body]))
        place += header + body
    return found


def pack(request: int, parts: list[tuple[bytes, bytes]]) -> bytes:
    """The inverse of `frames`."""
    return bytes([request]) + b"".join(SIZES.pack(len(h), len(b)) + h + b for h, b in parts)


def feed(data: bytes) -> str:
    """Gives the input to the host. Returns how it ended: "value" or the name of one of the host's own errors."""
    if not data:
        return "value"
    if data[0] & RAW:
        sent = data[1:]
    else:
        sent = b"".join(wire.PREFIX.pack(wire.MAGIC, len(h), len(b)) + h + b for h, b in frames(data))
    opened = {"session": 1, "baseline_kb": 0}
    connection = Connection(FrameSession(Ended(), opened, Sent(GREETING + sent), Limits(time_s=60.0)))
    try:
        _tellable(REQUESTS[(data[0] & ~RAW) % len(REQUESTS)](connection))
    except OWN as error:
        _tellable(getattr(error, "finding", None))
        return type(error).__name__
    finally:
        for _, frame in connection.log:
            _bounded(frame.tensors, len(frame.body))
    return "value"


def _bounded(tensors: list[torch.Tensor], sent: int) -> None:
    """Copies of all tensors together are no larger than what was sent."""
    total = sum(t.numel() * t.element_size() for t in tensors)
    assert total <= sent, f"{total} bytes of tensors in {sent} bytes"


def _tellable(value: Any) -> None:
    """What reaches a report can be stored and shown."""
    if isinstance(value, (RemoteModule, torch.Tensor)):
        return
    if isinstance(value, dict):
        for key, item in value.items():
            _tellable(key)
            _tellable(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _tellable(item)
    else:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
