"""How verdicts a second grow with machines: measured as far as this one goes, simulated past that.

    workers      judge workers, each in a network namespace of its own, reach PostgreSQL over TCP: verdicts a second
    records      accept, claim and finish without grading, by several processes: what the database alone can do
    simulation   machines with two workers each that take turns at one database; fed with the two measured figures

Usage: python benchmarks/scale.py [--most N] [--seconds S] [--markdown]      (root: it makes network namespaces)
"""

from __future__ import annotations

import argparse
import heapq
import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from benchmarks.measuring import ENVIRONMENT, PROBLEM, ROOT, submission
from judge.model import CaseResult, Report
from judge.store import Store
from tests.postgres import USER, Server, programs

NETWORK = "10.98.7"
BRIDGE = "judge-scale"
CASES_OF_A_REPORT = 20
WORKERS_OF_A_MACHINE = 2


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


@contextmanager
def network() -> Iterator[str]:
    """A bridge that namespaces are plugged into; the address of this side."""
    ip("link", "add", BRIDGE, "type", "bridge")
    try:
        ip("addr", "add", f"{NETWORK}.1/24", "dev", BRIDGE)
        ip("link", "set", BRIDGE, "up")
        yield f"{NETWORK}.1"
    finally:
        ip("link", "del", BRIDGE)


@contextmanager
def machine(number: int, url: str) -> Iterator[None]:
    """A worker in a network namespace: all it shares with the others is the database behind the bridge."""
    name, outside, inside = f"{BRIDGE}-{number}", f"jscale{number}a", f"jscale{number}b"
    ip("netns", "add", name)
    try:
        ip("link", "add", outside, "type", "veth", "peer", "name", inside)
        ip("link", "set", inside, "netns", name)
        ip("link", "set", outside, "master", BRIDGE, "up")
        for words in (("addr", "add", f"{NETWORK}.{10 + number}/24", "dev", inside), ("link", "set", inside, "up")):
            ip("-n", name, *words)
        command = ["ip", "netns", "exec", name, sys.executable, "-m", "judge", "worker"]
        environment = {**ENVIRONMENT, "JUDGE_DATABASE_URL": url, "JUDGE_SANDBOX": "local"}
        process = subprocess.Popen(command, env=environment, cwd=ROOT, stderr=subprocess.DEVNULL)
        try:
            yield
        finally:
            process.terminate()
            process.wait(30)
    finally:
        ip("netns", "del", name)


def graded(url: str, machines: int, seconds: float) -> float:
    """Verdicts a second of so many workers while the queue never runs dry."""
    store = Store(url)
    source = submission().read_bytes()
    with ExitStack() as stack:
        for number in range(machines):
            stack.enter_context(machine(number, url))
        while len(store.workers()) < machines:
            time.sleep(0.1)
        for number in range(round(40 * machines * (seconds + 5))):
            store.submit(learner=f"learner {number % 50}", problem=PROBLEM, source=source)
        time.sleep(3)
        before, start = done(store), time.perf_counter()
        time.sleep(seconds)
        rate = (done(store) - before) / (time.perf_counter() - start)
    store.close()
    return rate


def done(store: Store) -> int:
    return sum(tally.judgings for tally in store.tallies())


def cycle(url: str, seconds: float, count: multiprocessing.Queue[int]) -> None:
    """Accept, claim, finish, again and again."""
    store = Store(url)
    name, number = f"worker {os.getpid()}", 0
    cases = tuple(CaseResult(f"test_{n}", False, "AC") for n in range(CASES_OF_A_REPORT))
    report = Report(PROBLEM, "AC", cases, 1.0, 1, "none", 1, "0" * 64)
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        store.submit(learner=name, problem=PROBLEM, source=b"x" * 1000)
        claim = store.claim(name, 60)
        if claim and store.finish(claim, report):
            number += 1
    store.close()
    count.put(number)


def recorded(url: str, processes: int, seconds: float) -> float:
    """Submissions a second whose records go all their way, without grading."""
    context = multiprocessing.get_context("spawn")
    count = context.Queue()
    children = [context.Process(target=cycle, args=(url, seconds, count)) for _ in range(processes)]
    for child in children:
        child.start()
    total = sum(count.get() for _ in children)
    for child in children:
        child.join()
    return total / seconds


def simulated(workers: int, grading_s: float, database_s: float, verdicts: int = 20_000) -> float:
    """Verdicts a second of workers that grade side by side and stand in line at one database before each grading."""
    free_at = [(n * grading_s / workers, n) for n in range(workers)]
    heapq.heapify(free_at)
    database_free = now = 0.0
    for _ in range(verdicts):
        now, worker = heapq.heappop(free_at)
        database_free = max(now, database_free) + database_s
        heapq.heappush(free_at, (database_free + grading_s, worker))
    return verdicts / now


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=os.cpu_count() or 1, help="workers at once")
    parser.add_argument("--seconds", type=float, default=15, help="for each row")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    found = programs()
    assert found, "PostgreSQL is not installed"
    rows: list[tuple[str, int, float]] = []
    with network() as address:
        server = Server(found, durable=True, listen=address)

        def database() -> str:
            return f"postgresql+psycopg://{USER}@{address}/{server.database().split('@/')[1].split('?')[0]}"

        try:
            for workers in range(1, options.most + 1):
                rows.append(("measured: workers", workers, graded(database(), workers, options.seconds)))
            processes = [1, 2, 4, 8]
            rates = [recorded(database(), number, options.seconds) for number in processes]
            rows += [("measured: records only", n, rate) for n, rate in zip(processes, rates, strict=True)]
        finally:
            server.stop()
    grading_s, database_s = 1 / rows[0][2], 1 / max(rates)
    for machines in (1, 2, 4, 8, 16, 32):
        workers = machines * WORKERS_OF_A_MACHINE
        rows.append((f"simulated: machines of {WORKERS_OF_A_MACHINE} workers", machines,
                     simulated(workers, grading_s - database_s, database_s)))  # fmt: skip
    for what, number, rate in rows:
        print(
            f"| {what} | {number} | {rate:.0f} |" if options.markdown else f"{what:36} {number:4} {rate:8.1f} a second"
        )


if __name__ == "__main__":
    main()
