"""Gradings for `verify`, spread over processes. Each has one grader and one sandbox for all its jobs.

    verify                      pool                           process
    jobs ────────────────────▶  one at a time to each  ──────▶  grade, diagnose
    outcomes, as they are done  ◀── case by case, then ◀──────  outcome

A process that a test ends (`os._exit`, a crash) costs the other jobs of that problem, and is replaced for the rest.
What tests print goes to stderr.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from judge.loader import ProblemError, load_problem
from judge.model import Problem, Report

if TYPE_CHECKING:
    from judge.grader import Grader
    from judge.replay import Memory

Kind = Literal["reference", "starter", "accepted", "mistake", "search", "mutant"]
DIAGNOSIS_S = 30.0
SMALL = 4
"""A size that can be checked by hand."""


@dataclass(frozen=True)
class Job:
    """One source to grade with each of the seeds, a mutant only to its first failure.

    A mistake is diagnosed too; in a search a small failing input is looked for, as it is for an accepted answer.
    """

    bank: Path
    slug: str
    kind: Kind
    source: bytes
    seeds: tuple[int, ...]


@dataclass(frozen=True)
class Run:
    """One grading, as far as `verify` looks at it. `failed`: names of the cases that ran and were not AC."""

    seed: int
    verdict: str
    failed: tuple[str, ...]
    internal: str


@dataclass(frozen=True)
class Outcome:
    """What became of a job; `error` where it could not be done at all.

    `diagnosis`: the mistake named for it; `diagnosable`: whether the diagnosis can name it at all.
    `searched`: whether a small failing input was looked for; `smallest_ms`: until one with sizes up to 4 was found.
    `disputed`: what is said to be wrong with an accepted answer on an input that the search draws.
    """

    runs: tuple[Run, ...] = ()
    diagnosis: str | None = None
    diagnosable: bool = False
    round_trips: int = 0
    searched: bool = False
    smallest_ms: float | None = None
    disputed: str = ""
    error: str = ""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Outcome:
        runs = tuple(Run(r["seed"], r["verdict"], tuple(r["failed"]), r["internal"]) for r in content["runs"])
        return cls(**{**content, "runs": runs})


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def perform(jobs: Sequence[Job], sandbox: str, processes: int) -> Iterator[tuple[int, Outcome]]:
    """Does the jobs in at most so many processes; yields the number and the outcome of each as soon as it is done."""
    waiting = list(range(len(jobs)))
    crews: list[_Crew] = []
    pace = _Pace()
    try:
        while waiting or any(crew.busy for crew in crews):
            if waiting and len(crews) < processes and (not crews or pace.wants_another(len(waiting), len(crews))):
                crews.append(_Crew(sandbox))
            for crew in crews:
                if waiting and crew.job is None:
                    crew.start(waiting.pop(0), jobs)
            for crew in _ready(crews):
                number, outcome = crew.receive()
                if outcome is None:
                    continue
                pace.done += 1
                yield number, outcome
                if not crew.alive:
                    crews.remove(crew)
                    lost = [n for n in waiting if jobs[n].slug == jobs[number].slug]
                    waiting = [n for n in waiting if n not in lost]
                    for n in lost:
                        yield n, Outcome()
    finally:
        for crew in crews:
            crew.end()


START_S = 4.0
"""Seconds of two cores that it takes to start a process: torch is imported by it and by its sandbox."""


class _Pace:
    """Whether another process would be of use by the time it is there."""

    def __init__(self) -> None:
        self.start = 0.0
        self.done = 0

    def wants_another(self, waiting: int, crews: int) -> bool:
        now = time.monotonic()
        if not self.done:
            self.start = now
            return False
        return waiting * (now - self.start) / self.done > START_S * crews


class _Crew:
    """One process and the job it is at."""

    def __init__(self, sandbox: str) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process: BaseProcess = context.Process(target=work, args=(theirs, sandbox), daemon=False)
        self.process.start()
        theirs.close()
        self.job: int | None = None
        self.case = ""
        self.alive, self.came_up = True, False

    @property
    def busy(self) -> bool:
        return self.job is not None

    def start(self, number: int, jobs: Sequence[Job]) -> None:
        self.job, self.case = number, ""
        with contextlib.suppress(OSError):  # that it is gone shows when its answer is read
            self.connection.send(jobs[number])

    def receive(self) -> tuple[int, Outcome | None]:
        """The job's number, and its outcome when it is done."""
        number = self.job
        assert number is not None
        try:
            message = self.connection.recv()
        except (EOFError, OSError):
            self.alive, self.job = False, None
            self.process.join(5)
            return number, Outcome(error=self._last_words())
        if isinstance(message, str):
            self.came_up, self.case = True, message
            return number, None
        self.job = None
        assert isinstance(message, Outcome)
        return number, message

    def _last_words(self) -> str:
        status = f"exit code {self.process.exitcode}"
        if not self.came_up:
            return f"a grading process did not come up ({status}), see above"
        where = f"after `{self.case}`" if self.case else "before the first case was done"
        return f"tests.py: ends the judge's own process {where} ({status}); tests and reference run in it"

    def end(self) -> None:
        self.connection.close()
        if self.busy:
            self.process.terminate()
        self.process.join(10)


def _ready(crews: list[_Crew]) -> list[_Crew]:
    ready = wait([crew.connection for crew in crews if crew.busy])
    return [crew for crew in crews if crew.connection in ready]


def work(connection: Connection, sandbox: str) -> None:
    """The life of a process: jobs until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda number, frame: os._exit(1))
    os.dup2(2, 1)
    from sandbox import open_sandbox

    opened = open_sandbox(sandbox)
    from judge.grader import Grader
    from judge.replay import Memory

    grader = Grader(opened)
    connection.send("")
    memory, slug = Memory(), ""
    try:
        while True:
            job = connection.recv()
            if job.slug != slug:
                memory, slug = Memory(), job.slug
            connection.send(_done(grader, job, connection, memory))
    except (EOFError, OSError):
        pass
    finally:
        grader.close()


def _done(grader: Grader, job: Job, connection: Connection, memory: Memory) -> Outcome:
    from judge.own_code import TestsBroken

    problem = load_problem(job.bank, job.slug)
    if job.kind == "reference" and (fault := _fault(problem)):
        return Outcome(error=fault)
    reports = []
    found: dict[str, Any] = {}
    for seed in job.seeds:
        report = grader.grade(problem, job.source, seed=seed, stop_at_failure=job.kind in ("mutant", "search"),
                              on_case=lambda case: connection.send(case.name))  # fmt: skip
        reports.append(report)
        if seed == job.seeds[0]:
            found["round_trips"] = grader.exchanges
            try:
                found |= _explained(grader, problem, job, report, memory)
            except TestsBroken as broken:
                return Outcome(error=str(broken))
    runs = [Run(r.seed, r.verdict, tuple(c.name for c in r.cases if c.verdict not in (None, "AC")), r.internal)
            for r in reports]  # fmt: skip
    return Outcome(tuple(runs), **found)


def _explained(grader: Grader, problem: Problem, job: Job, report: Report, memory: Memory) -> dict[str, Any]:
    """What a learner would be told of a mistake; of an accepted answer, what must not be told."""
    from judge.diagnosis import candidates
    from judge.messages import describe
    from judge.smallest import SEARCHED

    if job.kind == "accepted" and report.verdict == "AC":
        smallest = grader.smallest(problem, job.source, replace(report, verdict="WA"), DIAGNOSIS_S)
        if smallest is None:
            return {}
        facts = [*(f"{name} = {size}" for name, size in smallest.sizes.items()), *map(str, smallest.how.values())]
        return {"disputed": f"{describe(smallest.finding)} ({', '.join(facts)})"}
    if job.kind == "mistake":
        named = grader.diagnose(problem, report, DIAGNOSIS_S, memory)
        return {"diagnosis": named, "diagnosable": job.source in [one.source for one in candidates(problem)]}
    if job.kind != "search":
        return {}
    found: dict[str, Any] = {"searched": report.verdict in SEARCHED}
    start = time.perf_counter()
    smallest = grader.smallest(problem, job.source, report, DIAGNOSIS_S)
    if smallest is not None and max(smallest.sizes.values(), default=1) <= SMALL:
        found["smallest_ms"] = (time.perf_counter() - start) * 1000
    return found


def _fault(problem: Problem) -> str:
    """What is wrong with a problem before anything is graded."""
    from judge.own_code import load_modules
    from sandbox.restrict import GROUPS, names_something

    for name in problem.forbidden:
        if not names_something(name):
            known = f"a dotted name of torch, `aten.<operator>` or one of the groups {', '.join(GROUPS)}"
            return str(ProblemError(problem.folder / "problem.toml", f"key `forbidden` has {name!r}, expected {known}"))
    try:
        load_modules(problem)
    except ProblemError as error:
        return str(error)
    return ""
