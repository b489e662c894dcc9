"""What the relay keeps is bounded, and it rests where nobody takes what it has."""

from __future__ import annotations

import os
import selectors
import socket
from collections.abc import Iterator

import pytest

from sandbox.relay import BACKLOG, CHUNK, CONFIRM, PACKET, Child, Relay


class Ends:
    """A relay with one child, and the four ends that the rest of the world holds."""

    def __init__(self) -> None:
        self.supervisor, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        source, self.to_relay = os.pipe()
        self.from_relay, sink = os.pipe()
        self.child, near = socket.socketpair()
        self.child.setblocking(False)
        near.setblocking(False)
        self.relay = Relay(theirs, source, sink)
        self.relay.children[1] = Child(near, os.getpid())
        self.relay.selector.register(near, selectors.EVENT_READ, 1)
        self.near = near

    def flood(self) -> None:
        """The child writes as much as is taken."""
        for _ in range(4 * BACKLOG // CHUNK):
            try:
                self.child.send(bytes(CHUNK))
            except BlockingIOError:
                if self.near not in self.relay.selector.get_map():
                    return
            self.relay._with_child(1, selectors.EVENT_READ)

    def listened_to(self) -> bool:
        return self.near in self.relay.selector.get_map()


@pytest.fixture
def ends() -> Iterator[Ends]:
    made = Ends()
    yield made
    for number in (made.to_relay, made.from_relay, made.relay.source, made.relay.sink):
        os.close(number)
    for part in (made.supervisor, made.child, made.near, made.relay.control):
        part.close()


def test_child_is_not_read_while_the_host_does_not_read(ends: Ends) -> None:
    ends.flood()
    assert not ends.listened_to()
    assert len(ends.relay.leaving) < BACKLOG + 2 * CHUNK


def test_child_is_read_again_when_the_host_reads(ends: Ends) -> None:
    ends.flood()
    while len(ends.relay.leaving) >= BACKLOG:
        os.read(ends.from_relay, 1 << 20)
        ends.relay._drain()
    assert ends.listened_to()


def test_packets_say_whose_they_are(ends: Ends) -> None:
    ends.child.send(b"abc")
    ends.relay._with_child(1, selectors.EVENT_READ)
    packet = os.read(ends.from_relay, 100)
    number, peak_kb, size = PACKET.unpack_from(packet)
    assert (number, size, packet[PACKET.size :]) == (1, 3, b"abc")
    assert peak_kb > 1000


def test_large_frames_are_confirmed(ends: Ends) -> None:
    ends.relay.children[1].waiting += bytes(CONFIRM)
    while ends.relay.children[1].waiting:
        ends.relay._push(1)
        while ends.child in selectors_ready(ends.child):
            ends.child.recv(1 << 20)
    number, _, size = PACKET.unpack_from(os.read(ends.from_relay, PACKET.size))
    assert number == 0
    assert b'"taken"' in os.read(ends.from_relay, size)


def selectors_ready(part: socket.socket) -> list[object]:
    with selectors.DefaultSelector() as selector:
        selector.register(part, selectors.EVENT_READ)
        return [key.fileobj for key, _ in selector.select(0)]
