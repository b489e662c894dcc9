"""Everything dies at random while learners submit. Afterwards: one right verdict each, and nothing left behind.

    quiet      each source is judged once, undisturbed
    chaos      learners post; workers, supervisors, web server, parent and database are killed, paused, locked out
    after      every accepted submission has exactly one verdict, that of the quiet run; JE only after three tries

Usage: python benchmarks/chaos.py [--database sqlite|postgresql] [--submissions N] [--seconds S] [--driver NAME]
                                  [--apart S] [--disk] [--clock] [--seed N] [--markdown]

PostgreSQL is started for the run (Debian's programs). --disk puts the data on a small file system of its own and fills
it; --clock sets the machine's clock an hour ahead and back for seconds at a time. Both need root. Exits 1 where
anything was lost, doubled or wrong.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
from sqlalchemy import func, select

from benchmarks.killing import PATIENCE_S, PORT, Chaos, Judge, disk
from benchmarks.measuring import ROOT, say
from judge.store import MAX_TRIES, Store
from judge.store.tables import judging, submission
from tests.postgres import Server, programs

LEARNERS = 12
SLUGS = ("softmax", "kv-offset-mask", "attention")


@dataclass
class Sources:
    """What is submitted: (problem, source), and the verdicts of the quiet run."""

    items: list[tuple[str, str]]
    verdicts: list[str] = field(default_factory=list)

    @classmethod
    def of_the_bank(cls) -> Sources:
        items = []
        for slug in SLUGS:
            folder = ROOT / "problems" / slug
            files = [folder / "reference.py"]
            for verdict in ("accepted", "wrong_answer", "runtime_error", "restricted"):
                files += sorted((folder / "submissions" / verdict).glob("*.py"))[:3]
            items += [(slug, file.read_text(encoding="utf-8")) for file in files]
        return cls([*items, ("softmax", "def softmax(x, dim=-1)\n    return x\n")])


class Learner(threading.Thread):
    """Posts its share, each with a client_id of its own, again and again until it is accepted."""

    def __init__(self, share: list[tuple[int, int]], sources: Sources, pause_s: float) -> None:
        super().__init__(daemon=True)
        self.share, self.sources, self.pause_s = share, sources, pause_s
        self.accepted: dict[int, int] = {}
        self.refused = 0
        self.headers: dict[str, str] = {}

    def run(self) -> None:
        for number, which in self.share:
            while number not in self.accepted:
                try:
                    self.accepted[number] = self._post(number, which)
                except (OSError, http.client.HTTPException, ValueError, KeyError):
                    self.refused += 1
                    time.sleep(0.3)
            time.sleep(self.pause_s)

    def _post(self, number: int, which: int) -> int:
        if not self.headers:
            answer, cookie = self._ask("GET", "/api/v1/session", None)
            self.headers = {"X-CSRFToken": answer["csrf"], "Cookie": cookie}
        slug, source = self.sources.items[which]
        body = {"problem": slug, "source": source, "client_id": f"chaos-{number}"}
        answer, _ = self._ask("POST", "/api/v1/submissions", json.dumps(body).encode())
        return int(answer["id"])

    def _ask(self, method: str, path: str, body: bytes | None) -> tuple[Any, str]:
        connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=10)
        try:
            connection.request(method, path, body, {"Content-Type": "application/json", **self.headers})
            response = connection.getresponse()
            answer = json.loads(response.read())
            if response.status >= 300:
                raise ValueError(answer)
            return answer, (response.headers.get("Set-Cookie") or "").split(";")[0]
        finally:
            connection.close()


def judged_once(store: Store, accepted: dict[int, int], expected: dict[int, str]) -> tuple[list[str], Counter[str]]:
    """Faults in words, and how many tries each verdict took."""
    faults: list[str] = []
    with store.read() as connection:
        total = connection.scalar(select(func.count()).select_from(submission))
        rows = connection.execute(
            select(judging.c.submission_id, judging.c.status, judging.c.verdict, judging.c.tries, judging.c.internal)
        ).all()
    known = Counter(row[0] for row in rows)
    verdicts = {row[0]: row for row in rows}
    if total != len(accepted):
        faults.append(f"{len(accepted)} were accepted, {total} are on record")
    if len(set(accepted.values())) != len(accepted):
        faults.append("two posts got one submission")
    tries: Counter[str] = Counter()
    for number, submission_id in accepted.items():
        if known[submission_id] != 1:
            faults.append(f"submission {submission_id} has {known[submission_id]} judgings")
            continue
        _, status, verdict, count, internal = verdicts[submission_id]
        tries[f"{count} tries" if count > 1 else "1 try"] += 1
        if status != "done":
            faults.append(f"submission {submission_id} is {status}")
        elif verdict == "JE" and count >= MAX_TRIES:
            tries["JE after three tries"] += 1
        elif verdict != expected[number]:
            faults.append(f"submission {submission_id}: {verdict} instead of {expected[number]} ({internal.strip()})")
    return faults, tries


def left_behind(data: Path, folder: Path) -> list[str]:
    """Processes with our data folder in their environment, and what is in the folder for temporary files."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.pid != os.getpid() and process.environ().get("JUDGE_DATA") == str(data):
                found.append(f"process {process.pid}: {' '.join(process.cmdline())[:100]}")
            elif "sandbox.runner" in process.cmdline() and process.ppid() == 1:
                found.append(f"orphan {process.pid}: {' '.join(process.cmdline())[:100]}")
    return [*found, *(f"folder {path.name}" for path in sorted(folder.iterdir()))]


def quiet_run(store: Store, sources: Sources) -> None:
    learner = Learner([(-1 - n, n) for n in range(len(sources.items))], sources, 0.0)
    learner.run()
    ids = [learner.accepted[-1 - n] for n in range(len(sources.items))]
    sources.verdicts = [verdict_of(store, number) for number in ids]


def verdict_of(store: Store, number: int) -> str:
    give_up = time.monotonic() + PATIENCE_S
    while time.monotonic() < give_up:
        view = store.submission(number)
        if view and view.judging.verdict:
            return view.judging.verdict
        time.sleep(0.05)
    raise SystemExit(f"submission {number} was not judged in a quiet run")


def wait_drained(store: Store) -> float:
    start = time.monotonic()
    while time.monotonic() < start + PATIENCE_S:
        with suppress(Exception):
            state = store.queue_state()
            if not state.queued and not state.running:
                break
        time.sleep(0.1)
    return time.monotonic() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--submissions", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=240, help="how long the killing lasts at least")
    parser.add_argument("--apart", type=float, default=1.3, help="mean seconds from one killing to the next")
    parser.add_argument("--driver", default="local")
    parser.add_argument("--disk", action="store_true")
    parser.add_argument("--clock", action="store_true")
    parser.add_argument("--seed", type=int, default=None, help="of the order in which things die")
    parser.add_argument("--markdown", action="store_true", help="print the result as a table")
    options = parser.parse_args()
    seed = random.randrange(1 << 31) if options.seed is None else options.seed
    say(f"seed {seed}")
    server = None
    if options.database == "postgresql":
        found = programs()
        assert found, "PostgreSQL is not installed"
        server = Server(found, durable=True)
    with (
        disk(options.disk) as data,
        tempfile.TemporaryDirectory(prefix="judge-chaos-") as temporary,
        tempfile.NamedTemporaryFile(prefix="judge-chaos-log-", delete=False) as log,
    ):
        file = data / "judge.db" if server is None else None
        url = server.database() if server else f"sqlite:///{file}"
        store = Store.open(url)
        judge = Judge(data, Path(temporary), url, options.driver, Path(log.name))
        judge.wait_ready()
        sources = Sources.of_the_bank()
        say(f"quiet run of {len(sources.items)} sources")
        quiet_run(store, sources)
        say(f"{dict(Counter(sources.verdicts))}; now {options.submissions} submissions, everything dies")
        dice = random.Random(seed)
        choices = [(n, dice.randrange(len(sources.items))) for n in range(options.submissions)]
        pause = options.seconds * LEARNERS / options.submissions
        learners = [Learner(choices[n::LEARNERS], sources, pause * 0.8) for n in range(LEARNERS)]
        chaos = Chaos(judge, dice, server, file, data if options.disk else None, options.clock, options.apart)
        start = time.monotonic()
        for learner in learners:
            learner.start()
        chaos.run(options.seconds, lambda: any(learner.is_alive() for learner in learners))
        for learner in learners:
            learner.join(PATIENCE_S)
        took = time.monotonic() - start
        judge.wait_ready()
        say("the killing has ended; the queue runs dry")
        drained = wait_drained(store)
        accepted = {number: found for learner in learners for number, found in learner.accepted.items()}
        accepted |= {-1 - n: n + 1 for n in range(len(sources.items))}
        expected = {n: sources.verdicts[which] for n, which in choices}
        expected |= {-1 - n: verdict for n, verdict in enumerate(sources.verdicts)}
        missing = len(choices) - sum(len(learner.accepted) for learner in learners)
        judge.stop()
        faults, tries = judged_once(store, accepted, expected)
        store.close()
        time.sleep(2)
        faults += left_behind(data, Path(temporary))
    if missing:
        faults.append(f"{missing} were never accepted")
    if server:
        server.stop()
    rows = {
        "database": options.database,
        "driver": options.driver,
        "submissions": len(accepted),
        "seconds": round(took),
        "posts sent again": sum(learner.refused for learner in learners),
        **dict(sorted(chaos.counts.items())),
        **dict(sorted(tries.items())),
        "queue empty after, s": round(drained, 1),
        "faults": len(faults),
    }
    for name, value in rows.items():
        print(f"| {name} | {value} |" if options.markdown else f"{name:32} {value}")
    for fault in faults[:40]:
        print(fault)
    if faults:
        print(f"the judge's own messages: {log.name}")
        sys.exit(1)
    os.unlink(log.name)


if __name__ == "__main__":
    main()
