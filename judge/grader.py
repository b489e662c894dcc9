"""From a problem and a source to a Report: opens a session, runs the cases, names the verdict.

    session -> load (CE, RTE, TLE, MLE, RF) -> each case in the order of tests.py -> verdict of the first that fails

A case that ends in RTE, or whose process is gone, costs a new child; after TLE, MLE or OLE the rest is not run.
Exceptions become verdicts in one place, `_judge_case`. Nothing here raises for anything that a submission does.
"""

from __future__ import annotations

import gc
import hashlib
import importlib.util
import secrets
import signal as signals
import sys
import threading
import traceback
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch

from judge import diagnosis
from judge.compare import CheckFailed, Comparison, asked, observed
from judge.connection import MAX_LOGGED, Connection, SubmissionFailed
from judge.loader import ProblemError
from judge.model import MAX_SOURCE_BYTES, Case, CaseResult, Finding, Problem, Report, Verdict
from judge.pictures import picture
from judge.proxy import Solution, argument_names, reference_names
from judge.rng import Rng
from sandbox import Limits, Sandbox, SandboxFault, SessionEnded, Usage, wire
from sandbox.limits import ALL_LOADS_S, LOAD_LIMIT_S, MAX_THREADS, OUTPUT_LIMIT

_STOPS = ("TLE", "MLE", "OLE")
OWN_CODE_S = 60
"""Wall seconds for one test function with all it asks, or for importing a problem's file."""
HIDDEN_MESSAGE = 300
"""Characters of an exception's message in a hidden case: enough for any honest one, little for a copy of the inputs."""


class TestsBroken(Exception):
    """A test raised although the submission did nothing wrong: the problem's fault."""

    __test__ = False


@dataclass(frozen=True)
class LoadedProblem:
    """A problem with its reference and tests as modules."""

    problem: Problem
    reference: types.ModuleType
    tests: types.ModuleType
    names: dict[str, str]
    arguments: dict[str, list[str]]


def load_modules(problem: Problem) -> LoadedProblem:
    """Imports reference.py and tests.py. Raises ProblemError with file and line; answered from memory if unchanged."""
    return _load_modules(problem.folder, problem.digest, problem)


@lru_cache(maxsize=64)
def _load_modules(folder: Path, digest: str, problem: Problem) -> LoadedProblem:
    reference = _import_file(folder / "reference.py", f"_reference_{digest[:16]}")
    tests = _import_file(folder / "tests.py", f"_tests_{digest[:16]}")
    for name in problem.names:
        if not callable(getattr(reference, name, None)):
            raise ProblemError(folder / "reference.py", f"does not define `{name}`, which starter.py asks for")
    return LoadedProblem(problem, reference, tests, reference_names(reference, problem.names),
                         argument_names(reference, problem.names))  # fmt: skip


def _import_file(path: Path, name: str) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ProblemError(path, "cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    before = sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    try:
        with _bounded(f"importing {path.parent.name}/{path.name}"):
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == str(path)]
        where = f"line {lines[-1]}: " if lines else ""
        raise ProblemError(path, f"{where}{type(error).__name__}: {error}") from error
    finally:
        sys.dont_write_bytecode = before
    return module


@dataclass
class Evidence:
    """Of the last grading: what was asked and answered in the cases that failed."""

    source_sha256: str
    seed: int
    cases: list[list[tuple[bytes, wire.Frame]]] = field(default_factory=list)
    size: int = 0

    def add(self, connection: Connection) -> None:
        """The case that just failed, as long as there is room."""
        self.size += connection.logged
        connection.logged = 0
        if self.size <= MAX_LOGGED:
            self.cases.append(connection.log)


@dataclass
class _Run:
    """One grading in progress."""

    loaded: LoadedProblem
    source: bytes
    seed: int
    connection: Connection | None = None
    peak_kb: int = 0
    results: list[CaseResult] = field(default_factory=list)
    exchanges: int = 0
    loading_s: float = 0.0
    printed_in_hidden: bool = False


class Grader:
    """Grades in one sandbox, one submission at a time. Not for use by several threads."""

    def __init__(self, sandbox: Sandbox) -> None:
        torch.set_num_threads(1)
        gc.freeze()  # what is imported by now is never garbage, and scanning it takes tens of milliseconds
        self.sandbox = sandbox
        self.exchanges = 0
        """Round trips of the last grading."""
        self.evidence = Evidence("", 0)

    def close(self) -> None:
        self.sandbox.close()

    def grade(
        self,
        problem: Problem,
        source: bytes,
        *,
        seed: int | None = None,
        samples_only: bool = False,
        on_case: Callable[[CaseResult], None] | None = None,
    ) -> Report:
        """Runs the cases (or the samples) and names the verdict.

        `seed` fixes all random inputs. `on_case` is told of each case when it is done.
        """
        seed = secrets.randbelow(1 << 31) if seed is None else seed
        frame = Report(problem.slug, "JE", (), 0.0, 0, self.sandbox.name, seed,
                       hashlib.sha256(source).hexdigest(), samples_only=samples_only)  # fmt: skip
        cases = problem.samples if samples_only else problem.cases
        if len(source) > MAX_SOURCE_BYTES:
            finding: Finding = {"code": "too_long", "size": len(source), "limit": MAX_SOURCE_BYTES}
            return replace(frame, verdict="CE", finding=finding, cases=tuple(_not_run(case) for case in cases))
        self.evidence = Evidence(frame.source_sha256, seed)
        try:
            return self._grade(_Run(load_modules(problem), source, seed), frame, on_case)
        except (SandboxFault, TestsBroken, ProblemError) as error:
            return replace(frame, finding={"code": "judge_error"}, internal=f"{type(error).__name__}: {error}")

    def diagnose(self, problem: Problem, source: bytes, report: Report, seconds: float = 1.0) -> str | None:
        """The name of the known mistake that explains a failure of the last grading, or None, see `judge.diagnosis`."""
        try:
            return diagnosis.diagnose(self, load_modules(problem), source, report, self.evidence, seconds)
        except (SandboxFault, ProblemError, IndexError, TypeError, ValueError):
            return None

    def _grade(self, run: _Run, frame: Report, on_case: Callable[[CaseResult], None] | None) -> Report:
        problem = run.loaded.problem
        cases = problem.samples if frame.samples_only else problem.cases
        try:
            failure = self._open(run)
            if failure is not None:
                verdict, finding, shown = failure
                return replace(frame, verdict=verdict, finding={**finding, "traceback": shown},
                               cases=tuple(_not_run(case) for case in cases), memory_kb=run.peak_kb)  # fmt: skip
            stopped = False
            for case in cases:
                result = _not_run(case) if stopped else self._run_case(run, case)
                gone = run.connection is None and (not self.sandbox.cheap or run.loading_s > ALL_LOADS_S)
                stopped = stopped or gone or result.verdict in _STOPS
                run.results.append(result)
                if on_case is not None:
                    on_case(result)
        finally:
            if run.connection is not None:
                self.exchanges = run.exchanges + run.connection.exchanges
                run.connection.session.close()
        failed = next((r.verdict for r in run.results if r.verdict not in ("AC", None)), None)
        if not run.results:
            return replace(frame, finding={"code": "judge_error"}, internal="no case was run")
        return replace(frame, verdict=failed or "AC", cases=tuple(run.results), memory_kb=run.peak_kb,
                       time_ms=sum(result.time_ms for result in run.results))  # fmt: skip

    def _open(self, run: _Run) -> tuple[Verdict, Finding, str] | None:
        """A session with the source loaded in it, or what went wrong while it loaded."""
        problem = run.loaded.problem
        cpu = LOAD_LIMIT_S + problem.limits.time_limit_s * (len(problem.cases) + 1) * 2
        limits = Limits(problem.limits.time_limit_s, problem.limits.memory_mb, cpu)
        if run.connection is not None:
            run.exchanges += run.connection.exchanges
        run.connection = Connection(self.sandbox.open(limits), run.loaded.arguments)
        try:
            run.connection.load(run.source, run.loaded.names, problem.forbidden, LOAD_LIMIT_S)
        except SubmissionFailed as error:
            run.peak_kb = max(run.peak_kb, run.connection.session.report().peak_kb)
            return error.verdict, error.finding, error.traceback
        except SessionEnded as error:
            if error.kind == "cold":
                self.sandbox.warm()
                return self._open(run)
            verdict, finding = _of_end(error, limits, LOAD_LIMIT_S, loading=True)
            run.peak_kb = max(run.peak_kb, error.usage.peak_kb)
            return verdict, finding, ""
        finally:
            run.loading_s += run.connection.time_used
        return None

    def _run_case(self, run: _Run, case: Case) -> CaseResult:
        if run.connection is None and (failure := self._open(run)) is not None:
            if run.connection is not None:
                run.connection.session.close()
                run.connection = None
            return CaseResult(case.name, case.sample, failure[0], finding=failure[1], traceback=failure[2])
        connection = run.connection
        assert connection is not None
        connection.start_case()
        if case.sample and run.printed_in_hidden:
            connection.session.report()
        with _observing(case.sample) as seen:
            verdict, finding, shown, ended = self._judge_case(run, case, connection)
        if ended is not None and ended.kind == "cold":
            self.sandbox.warm()
            run.connection = None
            return self._run_case(run, case)
        usage = ended.usage if ended is not None else self._usage(run, case, connection)
        run.peak_kb = max(run.peak_kb, usage.peak_kb)
        if verdict in ("WA", "RTE"):
            self.evidence.add(connection)
        if verdict == "RTE" and ended is None and self.sandbox.cheap:
            connection.session.close()
        if verdict == "RTE" and not case.sample and finding:
            finding = {**finding, "message": str(finding.get("message", ""))[:HIDDEN_MESSAGE]}
        if ended is not None or (verdict == "RTE" and self.sandbox.cheap):
            run.exchanges += connection.exchanges
            run.connection = None
        return CaseResult(
            case.name,
            case.sample,
            verdict,
            connection.time_used * 1000,
            run.peak_kb,
            finding,
            usage.stdout if case.sample else "",
            usage.stderr if case.sample else "",
            shown,
            [picture(c) for c in seen[:4]] if case.sample else None,
        )

    def _usage(self, run: _Run, case: Case, connection: Connection) -> Usage:
        """What the case printed and the peak so far. Nobody sees what hidden cases print: it is only thrown away.

        The peak is not looked up for a case of a few milliseconds: the next look finds it too.
        """
        if case.sample:
            run.printed_in_hidden = False
            return connection.session.report()
        run.printed_in_hidden = True
        quick = connection.time_used < 0.005 and case is not run.loaded.problem.cases[-1]
        return Usage(peak_kb=run.peak_kb if quick else connection.session.peak_kb())

    def _judge_case(
        self, run: _Run, case: Case, connection: Connection
    ) -> tuple[Verdict, Finding | None, str, SessionEnded | None]:
        """The one place that turns exceptions into verdicts."""
        solution = Solution(connection, run.loaded.names)
        try:
            _call_test(run.loaded, case, solution, run.seed)
            return "AC", None, "", None
        except CheckFailed as error:
            return "WA", error.finding, "", None
        except SubmissionFailed as error:
            return error.verdict, error.finding, error.traceback, None
        except SessionEnded as error:
            return *_of_end(error, connection.session.limits, connection.time_used), "", error
        except (SandboxFault, TestsBroken):
            raise
        except (Exception, SystemExit) as error:
            _blame(run.loaded, case, run.seed, error)
            if isinstance(error, AssertionError):
                return "WA", {"code": "assertion"}, "", None
            if isinstance(error, RuntimeError) and "does not require grad" in str(error):
                return "WA", {"code": "detached"}, "", None
            return "WA", {"code": "odd_result", "error": f"{type(error).__name__}: {error}"[:300]}, "", None


def _call_test(loaded: LoadedProblem, case: Case, solution: Any, seed: int) -> None:
    test = getattr(loaded.tests, case.name)
    offered = {"solution": solution, "reference": loaded.reference, "rng": Rng(seed, case.name)}
    torch.default_generator.manual_seed(seed)  # torch.manual_seed also queues calls for devices, more with each
    with _bounded(f"{case.name} in tests.py"):
        test(**{name: offered[name] for name in test.__code__.co_varnames[: test.__code__.co_argcount]})


@contextmanager
def _bounded(what: str) -> Iterator[None]:
    """Ends code of the problem that does not end by itself. Only the main thread can be interrupted."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signals, "setitimer"):
        yield
        return

    def stop(number: int, frame: object) -> None:
        raise TestsBroken(f"{what} did not end within {OWN_CODE_S} s")

    before = signals.signal(signals.SIGALRM, stop)
    signals.setitimer(signals.ITIMER_REAL, OWN_CODE_S)
    try:
        yield
    finally:
        signals.setitimer(signals.ITIMER_REAL, 0)
        signals.signal(signals.SIGALRM, before)


def _blame(loaded: LoadedProblem, case: Case, seed: int, error: BaseException) -> None:
    """A test raised something else than a finding. If it does so with the reference too, the test is broken."""
    try:
        _call_test(loaded, case, loaded.reference, seed)
    except (Exception, SystemExit) as again:
        raise TestsBroken(f"{case.name}: {type(again).__name__}: {again}") from error


@contextmanager
def _observing(wanted: bool) -> Iterator[list[Comparison]]:
    seen: list[Comparison] = []
    asked.set({})
    token = observed.set(seen if wanted else None)
    try:
        yield seen
    finally:
        observed.reset(token)


def _not_run(case: Case) -> CaseResult:
    return CaseResult(case.name, case.sample, None)


def _of_end(error: SessionEnded, limits: Limits, seconds: float, *, loading: bool = False) -> tuple[Verdict, Finding]:
    """How the end of the child's process reads to the learner."""
    if error.kind == "time":
        limit = LOAD_LIMIT_S if loading else limits.time_s
        return "TLE", {
            "code": "time_load" if loading else "time",
            "seconds": round(max(seconds, limit), 2),
            "limit": limit,
        }
    if error.kind == "memory":
        return "MLE", {"code": "memory", "limit": limits.memory_mb}
    if error.kind == "output":
        return "OLE", {"code": "output", "limit": OUTPUT_LIMIT >> 20}
    if error.kind == "threads":
        return "RTE", {"code": "threads", "limit": MAX_THREADS}
    if error.kind == "signal":
        if error.detail == signals.SIGXCPU:
            return "TLE", {"code": "time", "seconds": round(limits.cpu_s, 2), "limit": limits.time_s}
        try:
            name = signals.Signals(error.detail).name
        except ValueError:
            name = str(error.detail)
        return "RTE", {"code": "signal", "signal": name}
    if error.kind == "garbled":
        return "RTE", {"code": "garbled"}
    return "RTE", {"code": "exit", "status": error.detail}
