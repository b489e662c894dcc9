"""Rules of the wake-ups: a byte saves waiting, and no judging depends on one."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Any

from judge.queue import NEWS, WAKE, Bell, WorkQueue, bell
from judge.store import Store
from tests.records import claimed, report, submit

LONG_S = 30.0


def test_each_ring_ends_one_wait() -> None:
    bell = Bell.make()
    bell.ring()
    bell.ring()
    assert bell.wait(LONG_S)
    assert bell.wait(LONG_S)
    assert not bell.wait(0)


def test_ringing_a_full_pipe_does_not_block() -> None:
    bell = Bell.make()
    for _ in range(70_000):
        bell.ring()
    bell.drain()
    assert not bell.wait(0)


def test_bell_without_pipe_only_waits() -> None:
    bell = Bell.inherited(WAKE, {})
    bell.ring()
    assert not bell.wait(0)


def test_children_find_the_ends_they_were_given() -> None:
    bell = Bell.make()
    child = Bell.inherited(NEWS, bell.environment(NEWS))
    assert (child.read_fd, child.write_fd) == (bell.read_fd, bell.write_fd)
    bell.close()
    assert Bell.inherited(NEWS, {f"{NEWS}_FD": "998", f"{NEWS}_WRITE_FD": "no number"}).read_fd is None


def test_pipe_without_writers_is_no_busy_loop() -> None:
    bell = Bell.make()
    assert bell.write_fd is not None
    os.close(bell.write_fd)
    assert not bell.wait(1)
    assert bell.read_fd is None


def test_waiting_claims_are_taken_at_once(store: Store) -> None:
    number = submit(store).id
    claim = _queue(store).take()
    assert claim is not None
    assert claim.submission_id == number


def test_sleeping_worker_is_woken_by_a_byte(store: Store) -> None:
    queue = _queue(store, poll_s=LONG_S)
    taken = _take_in_thread(queue)
    number = submit(store).id
    queue.wake.ring()
    assert taken() == [number]


def test_lost_byte_costs_one_poll(store: Store) -> None:
    queue = _queue(store, poll_s=0.01)
    taken = _take_in_thread(queue)
    number = submit(store).id
    assert taken() == [number]


def test_postgresql_rings_where_no_pipe_leads(postgres: Any) -> None:
    store = Store.open(postgres.database())

    def finish(store: Store) -> bool:
        return store.finish(claimed(store), report())

    for name, change in ((WAKE, submit), (NEWS, finish)):
        rung = bell(store, name)
        assert rung.wait(LONG_S), "listens"
        rung.drain()
        change(store)
        assert rung.wait(LONG_S), name
    store.close()


def test_stop_wakes_a_waiting_worker(store: Store) -> None:
    queue = _queue(store, poll_s=LONG_S)
    taken = _take_in_thread(queue)
    queue.stop()
    assert taken() == [None]


def test_queue_gives_back_what_dead_workers_hold(store: Store) -> None:
    number = submit(store).id
    claimed(store, lease_s=-1, worker="dead")
    claim = _queue(store).take()
    assert claim is not None
    assert (claim.submission_id, claim.tries) == (number, 2)


def _queue(store: Store, poll_s: float = LONG_S) -> WorkQueue:
    return WorkQueue(store, "w", 60.0, Bell.make(), poll_s)


def _take_in_thread(queue: WorkQueue) -> Callable[[], list[int | None]]:
    """Starts `queue.take()`; the function that comes back waits for its result, well below LONG_S."""
    results: list[int | None] = []

    def take() -> None:
        claim = queue.take()
        results.append(claim.submission_id if claim else None)

    thread = threading.Thread(target=take, daemon=True)
    thread.start()

    def wait() -> list[int | None]:
        start = time.monotonic()
        thread.join(LONG_S / 2)
        assert time.monotonic() - start < LONG_S / 2
        return results

    return wait
