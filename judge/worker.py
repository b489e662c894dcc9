"""A grading process: `judge worker`, or one of several that `judge serve` starts.

    claim ─▶ load the problem ─▶ grade (cases stored if it takes long) ─▶ finish ─▶ news ─▶ explain ─▶ news
    heartbeat thread: renews the lease, and ends the worker when the parent that started it is gone

A judging the judge fails at is given back. Whatever a submission or a problem folder does, the worker goes on.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from judge import config, cores, loader, logs
from judge.model import CaseResult, Explanation, Problem, Report
from judge.own_input import InputRefused, parse
from judge.queue import NEWS, PLACE, WAKE, Bell, WorkQueue, bell
from judge.store import Claim, Store, StoreError
from sandbox.processes import birth

if TYPE_CHECKING:
    from judge.grading.grader import Grader
    from sandbox import Sandbox

READY = "JUDGE_READY"
LIVE_CASES_AFTER_S = 0.3
PAUSE_S = 1.0
EXIT_UNUSABLE = 3
"""Exit code: cannot work here, starting again is of no use."""
EXIT_DRAINED = 4
"""Exit code: was asked to stop for good."""

PROBLEM_FAULTS = ("TestsBroken:", "ProblemError:")
"""How `Report.internal` starts where the sandbox is not to blame."""

log = logging.getLogger("judge.worker")


class Worker:
    """Grades what `queue` hands out, one at a time, until `queue.stop()`."""

    def __init__(self, settings: config.Config, store: Store, queue: WorkQueue, news: Bell) -> None:
        self.settings, self.store, self.queue, self.news = settings, store, queue, news
        self.driver = settings.sandbox
        """From the first start on the one that was taken: `auto` never goes over to less isolation."""
        self.sandbox: Sandbox | None = None
        self.grader: Grader | None = None
        self.claim: Claim | None = None
        self.drained = False

    def open(self) -> str:
        """Starts sandbox and grader; the driver's name. Raises SandboxUnavailable or SandboxFault."""
        from sandbox import open_sandbox, pinned

        self.close()
        self.driver = pinned(self.driver)
        self.sandbox = open_sandbox(self.driver)
        from judge.grading.grader import Grader  # torch is imported here while the sandbox's own process does the same

        grader = Grader(self.sandbox)
        self.sandbox.warm()
        self.grader = grader
        return self.sandbox.name

    def warm(self) -> None:
        """Grades a reference, since torch does much for the first time then: no learner shall wait for that."""
        problems, errors = loader.load_bank(self.settings.problems)
        for error in errors:
            log.warning("problem %s", error)
        if problems and self.grader:
            problem = max(problems, key=lambda problem: len(problem.cases))
            report = self.grader.grade(problem, (problem.folder / "reference.py").read_bytes())
            if report.verdict != "AC":
                log.warning("the reference of %s gets %s %s", problem.slug, report.verdict, report.internal)

    def close(self) -> None:
        """Ends grader and sandbox, however broken they are."""
        for part in (self.grader, self.sandbox):
            try:
                if part is not None:
                    part.close()
            except Exception:
                log.exception("closing %s failed", type(part).__name__)
        self.grader = self.sandbox = None

    def run(self) -> None:
        """The loop."""
        while not self.queue.stopped:
            try:
                if self.grader is None:
                    self.open()
                self.claim = self.queue.take()
                if self.claim:
                    self.serve(self.claim)
            except Exception:
                log.exception("worker goes on after a failure of its own")
                time.sleep(PAUSE_S)
            finally:
                self.claim = None

    def serve(self, claim: Claim) -> None:
        """Grades one judging and stores what came out."""
        with logs.about(claim.submission_id):
            self._serve(claim)

    def _serve(self, claim: Claim) -> None:
        try:
            problem = loader.load_problem(self.settings.problems, claim.problem)
        except (loader.ProblemError, loader.UnknownProblem, OSError) as error:
            log.error("judging %d: problem %s cannot be loaded: %s", claim.judging_id, claim.problem, error)
            self._store_broken(claim, f"the problem cannot be loaded: {error!r}")
            return
        try:
            report = self._grade(claim, problem)
            if self._is_own_fault(report):  # a sandbox that died while nobody looked is no reason to give up a try
                log.warning("judging %d: once more, after %s", claim.judging_id, report.internal)
                report = self._grade_anew(claim, problem) or report
        except InputRefused as refused:
            self.store.refuse(claim, refused.finding)
            self.news.ring()
            return
        if report.verdict == "JE":
            log.error("judging %d, try %d: judge error: %s", claim.judging_id, claim.tries, report.internal)
            self.store.give_back(claim, report.internal or "judge error")
            self.news.ring()
            if self._is_own_fault(report):
                self.close()  # reopened before the next claim
            return
        log.info("judging %d: %s, %.1f ms", claim.judging_id, report.verdict, report.time_ms)
        mistaken = report.verdict not in ("AC", "CE") and claim.input is None
        if not self.store.finish(claim, report, problem_digest=problem.digest, diagnosing=mistaken):
            log.warning("judging %d: graded meanwhile by another worker", claim.judging_id)
            return
        self.news.ring()
        if mistaken:
            self._explain(claim, problem, report)

    def _is_own_fault(self, report: Report) -> bool:
        return report.verdict == "JE" and not report.internal.startswith(PROBLEM_FAULTS)

    def _grade_anew(self, claim: Claim, problem: Problem) -> Report | None:
        """In a new sandbox; None where there is none. The cases are told with the verdict: some were told before."""
        try:
            self.open()
        except Exception:
            log.exception("no sandbox")
            return None
        return self._grade(claim, problem, live=False)

    def _grade(self, claim: Claim, problem: Problem, *, live: bool = True) -> Report:
        assert self.grader is not None
        told = LiveCases(self.store, claim, self.news)
        try:
            return self.grader.grade(
                problem, claim.source, seed=claim.seed, samples_only=claim.samples_only,
                on_case=told.add if live else None,
                own_input=None if claim.input is None else parse(claim.input),
            )  # fmt: skip
        except InputRefused:
            raise
        except Exception as error:
            log.exception("judging %d: the grader failed", claim.judging_id)
            return _judge_error(claim, f"the grader failed: {error!r}")

    def _explain(self, claim: Claim, problem: Problem, report: Report) -> None:
        found = Explanation()
        try:
            assert self.grader is not None
            found = self.grader.explain(problem, claim.source, report)
        except Exception:
            log.exception("judging %d: no explanation", claim.judging_id)
            self.close()
        self.store.set_diagnosis(claim, found.mistake, found.smallest)
        self.news.ring()

    def _store_broken(self, claim: Claim, why: str) -> None:
        self.store.finish(claim, _judge_error(claim, why))
        self.news.ring()

    def heartbeat(self, parent: int | None) -> None:
        """Runs in a thread of its own until the process ends; `parent`: stop when this is no longer the parent."""
        while True:
            time.sleep(self.queue.lease_s / 4)
            claim = self.claim
            try:
                if claim:
                    self.store.renew(claim, self.queue.lease_s)
                if self.store.seen(self.queue.worker):
                    log.info("asked to stop after what it grades")
                    self.drained = True
                    self.queue.stop()
            except (SQLAlchemyError, MemoryError) as error:  # memory is short while a reference runs on an own input
                log.warning("heartbeat of judging %d failed: %s", claim.judging_id if claim else 0, error)
            if parent not in (None, os.getppid()):
                log.warning("the process that started this worker is gone")
                self.queue.stop()


def main(settings: config.Config | None = None) -> int:
    """Runs a worker until SIGTERM or SIGINT: what it grades then is finished first. Returns the exit code."""
    ready = Bell.inherited(READY)
    try:
        settings = settings or config.load()
        logs.configure(settings.log)
        store = Store.open(settings.database)
    except (config.ConfigError, StoreError) as error:
        return _unusable(ready, str(error))
    name = worker_name(os.getpid())
    place = int(os.environ.get(PLACE, "0"))
    queue = WorkQueue(store, name, settings.lease_s, bell(store, WAKE), place=place)
    worker = Worker(settings, store, queue, Bell.inherited(NEWS))
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, frame: queue.stop())
    from sandbox import SandboxFault, SandboxUnavailable

    try:
        driver = worker.open()
        worker.warm()
    except (SandboxUnavailable, SandboxFault, OSError) as error:
        return _unusable(ready, str(error))
    if PLACE in os.environ:
        cores.keep_to(place, os.getppid())
    parent = os.getppid() if ready.write_fd is not None else None
    threading.Thread(target=worker.heartbeat, args=(parent,), name="heartbeat", daemon=True).start()
    store.hello(name, driver)
    log.info("ready: sandbox %s, process %d", driver, os.getpid())
    _tell(ready, {"worker": name, "sandbox": driver})
    try:
        worker.run()
    finally:
        worker.close()
        with suppress(SQLAlchemyError):
            store.goodbye(name)
        store.close()
    return EXIT_DRAINED if worker.drained else 0


def _unusable(ready: Bell, why: str) -> int:
    log.error("%s", why)
    _tell(ready, {"error": why})
    return EXIT_UNUSABLE


def _tell(ready: Bell, message: dict[str, str]) -> None:
    """One line of JSON for `judge serve`, which waits for it."""
    if ready.write_fd is not None:
        os.write(ready.write_fd, json.dumps(message).encode() + b"\n")
    ready.close()


class LiveCases:
    """Stores cases while a long grading runs; a short one brings them all with its verdict, in one transaction."""

    def __init__(self, store: Store, claim: Claim, news: Bell) -> None:
        self.store, self.claim, self.news = store, claim, news
        self.pending: list[CaseResult] = []
        self.written = time.monotonic()

    def add(self, case: CaseResult) -> None:
        """Called by the grader after each case; never raises."""
        self.pending.append(case)
        if time.monotonic() - self.written < LIVE_CASES_AFTER_S:
            return
        try:
            self.store.record_cases(self.claim, self.pending)
            self.news.ring()
            self.pending = []
        except SQLAlchemyError as error:
            log.warning("judging %d: cases not stored yet: %s", self.claim.judging_id, error)
        self.written = time.monotonic()


def _judge_error(claim: Claim, why: str) -> Report:
    return Report(
        problem=claim.problem, verdict="JE", cases=(), time_ms=0.0, memory_kb=0, sandbox="", seed=claim.seed or 0,
        source_sha256="", finding={"code": "judge_error"}, samples_only=claim.samples_only, internal=why,
    )  # fmt: skip


def worker_name(pid: int) -> str:
    """host/pid/birth: `is_dead` reads it."""
    return f"{socket.gethostname()}/{pid}/{birth(pid)}"


def is_dead(worker: str) -> bool:
    """Whether the worker of this name ran on this host and its process is gone."""
    host, pid, born = ["", "", *worker.rsplit("/", 2)][-3:]
    return host == socket.gethostname() and pid.isdecimal() and birth(int(pid)) != born


if __name__ == "__main__":
    sys.exit(main())
