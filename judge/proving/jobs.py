"""Gradings for `verify`: what there is to do, what came of it, and the life of a process that does it.

    verify             pool                            process
    jobs ───────────▶  one at a time to each  ───────▶  grade, diagnose, look for a small failing input
    outcomes, as they are done  ◀── case by case, then ◀──  outcome

What tests print goes to stderr.
"""

from __future__ import annotations

import os
import signal
import time
from dataclasses import asdict, dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from judge import cores
from judge.loader import ProblemError, load_problem
from judge.model import CaseResult, Problem, Report

if TYPE_CHECKING:
    from judge.feedback.replay import Memory
    from judge.grading.grader import Grader

Kind = Literal["reference", "starter", "accepted", "mistake", "search", "dispute", "mutant"]
DIAGNOSIS_S = 30.0
SMALL = 4
"""A size that can be checked by hand."""


@dataclass(frozen=True)
class Job:
    """One source to grade with each of the seeds: whole with the first, to the first failure with the others.

    Of the others the cases that failed before are asked first; where one fails that does not depend on the seed, the
    first grading is all.

    A mutant has one seed and ends at its first failure too. A mistake is diagnosed. A small failing input is looked for
    in a mistake (search) and, in vain, in an accepted answer (dispute).
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


def work(connection: Connection, sandbox: str, place: int) -> None:
    """The life of a process: jobs until the other end is closed. `place` is its number among those that work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda number, frame: os._exit(1))
    os.dup2(2, 1)
    from sandbox import open_sandbox

    opened = open_sandbox(sandbox)
    from judge.feedback.replay import Memory
    from judge.grading.grader import Grader

    grader = Grader(opened)
    opened.wait_ready()
    cores.keep_to(place, os.getppid())
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
    from judge.grading.own_code import TestsBroken

    problem = load_problem(job.bank, job.slug)
    if job.kind == "reference" and (fault := _fault(problem)):
        return Outcome(error=fault)

    def on_case(case: CaseResult) -> None:
        connection.send(case.name)

    briefly = job.kind in ("mutant", "search")
    report = grader.grade(problem, job.source, seed=job.seeds[0], stop_at_failure=briefly, on_case=on_case)
    found: dict[str, Any] = {"round_trips": grader.exchanges}
    try:
        found |= _explained(grader, problem, job, report, memory)
    except TestsBroken as broken:
        return Outcome(error=str(broken))
    failed = [case.name for case in report.cases if case.verdict not in (None, "AC")]
    reports = [report, *grader.grade_again(problem, job.source, job.seeds[1:], failed, on_case)]
    runs = [Run(r.seed, r.verdict, tuple(c.name for c in r.cases if c.verdict not in (None, "AC")), r.internal)
            for r in reports]  # fmt: skip
    return Outcome(tuple(runs), **found)


def _explained(grader: Grader, problem: Problem, job: Job, report: Report, memory: Memory) -> dict[str, Any]:
    """What a learner would be told of a mistake; of an accepted answer, what must not be told."""
    from judge.feedback.diagnosis import candidates
    from judge.feedback.smallest import SEARCHED
    from judge.messages import describe

    if job.kind == "dispute" and report.verdict == "AC":
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
    from judge.grading.own_code import load_modules
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
