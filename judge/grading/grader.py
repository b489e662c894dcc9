"""From a problem and a source to a Report: opens a session, runs the cases, names the verdict.

    session -> load (CE, RTE, TLE, MLE, RF) -> each case in the order of tests.py -> verdict of the first that fails

After a case that ends in RTE the source is loaded anew, in a new process where the old one is gone; after TLE, MLE or
OLE the rest is not run.
Exceptions become verdicts in one place, `_judge_case`. Nothing here raises for anything that a submission does.
"""

from __future__ import annotations

import gc
import hashlib
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeVar

import torch

from judge.compare import CheckFailed, Comparison, asked, observed
from judge.feedback.diagnosis import Evidence, diagnose
from judge.feedback.replay import Memory
from judge.feedback.smallest import find_smallest
from judge.grading.comparisons import picture
from judge.grading.endings import of_end
from judge.grading.own_code import LoadedProblem, TestsBroken, blame, call_test, load_modules
from judge.grading.own_input import with_own_input
from judge.grading.running import Run
from judge.loader import ProblemError
from judge.model import MAX_SOURCE_BYTES, Case, CaseResult, Explanation, Finding, Problem, Report, Smallest, Verdict
from judge.own_input import OwnInput
from judge.remote.connection import Connection, SubmissionFailed
from judge.remote.proxy import Solution
from sandbox import Sandbox, SandboxFault, SessionEnded, Usage
from sandbox.limits import ALL_LOADS_S
from sandbox.wire import WireError

_STOPS = ("TLE", "MLE", "OLE")
Found = TypeVar("Found")
ODD_ANSWERS = (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError)
"""What looking at a submission's answers may raise; then there is no explanation."""
HIDDEN_MESSAGE = 300
"""Characters of an exception's message in a hidden case: enough for any honest one, little for a copy of the inputs."""


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
        own_input: OwnInput | None = None,
        stop_at_failure: bool = False,
        on_case: Callable[[CaseResult], None] | None = None,
    ) -> Report:
        """Runs the cases (or the samples) and names the verdict.

        `seed` fixes all random inputs. `on_case` is told of each case when it is done. With `stop_at_failure` the cases
        after the first that fails are not run: the verdict is the same. `own_input`: that call is the only case; raises
        InputRefused where the reference cannot take it.
        """
        seed = secrets.randbelow(1 << 31) if seed is None else seed
        samples_only = samples_only or own_input is not None
        frame = self._frame(problem, source, seed, samples_only=samples_only)
        cases = problem.samples if samples_only else problem.cases
        if len(source) > MAX_SOURCE_BYTES:
            finding: Finding = {"code": "too_long", "size": len(source), "limit": MAX_SOURCE_BYTES}
            return replace(frame, verdict="CE", finding=finding, cases=tuple(_not_run(case) for case in cases))
        self.evidence = Evidence(frame.source_sha256, seed)
        try:
            loaded = load_modules(problem)
            if own_input is not None:
                loaded = with_own_input(loaded, own_input)
            return self._grade(Run(self.sandbox, loaded, source, seed, stop_at_failure=stop_at_failure), frame, on_case)
        except (SandboxFault, TestsBroken, ProblemError) as error:
            return _judge_error(frame, error)

    def grade_again(
        self,
        problem: Problem,
        source: bytes,
        seeds: Sequence[int],
        failed: Sequence[str],
        on_case: Callable[[CaseResult], None],
    ) -> Iterator[Report]:
        """Gradings to the first failure with other seeds, to prove a problem, after one in which these cases `failed`.

        Only of cases that depend on the seed, those that failed first; none where one failed that does not. They share
        a session as long as answers come: for each the source is loaded anew, but in the same process.
        """
        loaded = load_modules(problem)
        cases = [case for case in problem.cases if loaded.depends_on_seed(case)]
        if not cases or set(failed) - {case.name for case in cases}:
            return
        ordered = tuple(sorted(cases, key=lambda case: case.name not in failed))
        connection: Connection | None = None
        try:
            for seed in seeds:
                run = Run(
                    self.sandbox, loaded, source, seed, connection, stop_at_failure=True, cases=ordered,
                    sharing=len(seeds),
                )  # fmt: skip
                frame = self._frame(problem, source, seed)
                try:
                    report = self._grade(run, frame, on_case)
                except (SandboxFault, TestsBroken) as error:
                    report = _judge_error(frame, error)
                if report.verdict not in ("AC", "WA"):
                    run.hang_up()
                connection = run.connection
                yield report
        finally:
            if connection is not None:
                connection.session.close()

    def explain(self, problem: Problem, source: bytes, report: Report, seconds: float = 1.0) -> Explanation:
        """For a failure of the last grading: the known mistake it equals, and the smallest input that shows it.

        The second search takes at most about `seconds`, the first, which tries dozens of mistakes, twice that. Each
        ends without a result where the sandbox fails.
        """
        return Explanation(
            self.diagnose(problem, report, 2 * seconds),
            self._without_faults(
                lambda loaded: find_smallest(self.sandbox, loaded, source, report, seconds, self.evidence), problem
            ),
        )

    def diagnose(
        self, problem: Problem, report: Report, seconds: float = 1.0, memory: Memory | None = None
    ) -> str | None:
        """The mistake alone."""
        return self._without_faults(
            lambda loaded: diagnose(self.sandbox, loaded, report, self.evidence, seconds, memory), problem
        )

    def smallest(self, problem: Problem, source: bytes, report: Report, seconds: float = 1.0) -> Smallest | None:
        """The smallest failing input alone. Raises TestsBroken where `inputs` of tests.py fails."""
        return find_smallest(self.sandbox, load_modules(problem), source, report, seconds, self.evidence)

    def _without_faults(self, search: Callable[[LoadedProblem], Found | None], problem: Problem) -> Found | None:
        try:
            return search(load_modules(problem))
        except (SandboxFault, TestsBroken, ProblemError, WireError, *ODD_ANSWERS):
            return None

    def _frame(self, problem: Problem, source: bytes, seed: int, *, samples_only: bool = False) -> Report:
        """A report that has no results yet."""
        digest = hashlib.sha256(source).hexdigest()
        return Report(problem.slug, "JE", (), 0.0, 0, self.sandbox.name, seed, digest, samples_only=samples_only)

    def _grade(self, run: Run, frame: Report, on_case: Callable[[CaseResult], None] | None) -> Report:
        problem = run.loaded.problem
        cases = run.cases or (problem.samples if frame.samples_only else problem.cases)
        try:
            failure = run.load()
            if failure is not None:
                verdict, finding, shown = failure
                return replace(frame, verdict=verdict, finding={**finding, "traceback": shown},
                               cases=tuple(_not_run(case) for case in cases), memory_kb=run.peak_kb)  # fmt: skip
            stopped = False
            for case in cases:
                result = _not_run(case) if stopped else self._run_case(run, case)
                gone = run.connection is None and not self.sandbox.cheap
                slow = not run.is_loaded and run.loading_s > ALL_LOADS_S
                stopped = stopped or gone or slow or result.verdict in _STOPS
                stopped = stopped or (run.stop_at_failure and result.verdict != "AC")
                run.results.append(result)
                if on_case is not None:
                    on_case(result)
        finally:
            if run.connection is not None:
                self.exchanges = run.exchanges + run.connection.exchanges
                if run.sharing == 1:
                    run.connection.session.close()
        failed = next((r.verdict for r in run.results if r.verdict not in ("AC", None)), None)
        if not run.results:
            return replace(frame, finding={"code": "judge_error"}, internal="no case was run")
        return replace(frame, verdict=failed or "AC", cases=tuple(run.results), memory_kb=run.peak_kb,
                       time_ms=sum(result.time_ms for result in run.results))  # fmt: skip

    def _run_case(self, run: Run, case: Case) -> CaseResult:
        fresh = not run.is_loaded
        if not run.is_loaded and (failure := run.load()) is not None:
            run.hang_up()
            return CaseResult(case.name, case.sample, failure[0], finding=failure[1], traceback=failure[2])
        connection = run.connection
        assert connection is not None
        connection.start_case(run.loaded.problem.cases.index(case))
        if case.sample and run.printed_in_hidden:
            connection.session.report()
        with _observing(case.sample) as seen:
            verdict, finding, shown, ended = self._judge_case(run, case, connection)
        if ended is not None and run.excuses(ended):
            return self._run_case(run, case)
        usage = ended.usage if ended is not None else self._usage(run, case, connection)
        run.peak_kb = max(run.peak_kb, usage.peak_kb)
        if verdict not in _STOPS:
            self.evidence.add(connection, failed=verdict != "AC", fresh=fresh)
        run.is_loaded = verdict != "RTE" and ended is None
        if verdict == "RTE" and not case.sample and finding:
            finding = {**finding, "message": str(finding.get("message", ""))[:HIDDEN_MESSAGE]}
        if ended is not None:
            run.hang_up()
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
            [picture(c, run.only_function) for c in seen[:4]] if case.sample else None,
        )

    def _usage(self, run: Run, case: Case, connection: Connection) -> Usage:
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
        self, run: Run, case: Case, connection: Connection
    ) -> tuple[Verdict, Finding | None, str, SessionEnded | None]:
        """The one place that turns exceptions into verdicts."""
        solution = Solution(connection, run.loaded.names)
        try:
            call_test(run.loaded, case, solution, run.seed)
            return "AC", None, "", None
        except CheckFailed as error:
            return "WA", error.finding, "", None
        except SubmissionFailed as error:
            return error.verdict, error.finding, error.traceback, None
        except SessionEnded as error:
            error.__traceback__ = None  # its session keeps it, and its frames what the submission sent
            verdict, finding = of_end(error, connection.session.limits)
            if verdict == "TLE" and connection.unanswered:
                finding["shape"] = connection.unanswered
            return verdict, finding, "", error
        except (SandboxFault, TestsBroken):
            raise
        except (Exception, SystemExit) as error:
            blame(run.loaded, case, run.seed, error)
            if isinstance(error, AssertionError):
                return "WA", {"code": "assertion"}, "", None
            if isinstance(error, RuntimeError) and "does not require grad" in str(error):
                return "WA", {"code": "detached"}, "", None
            return "WA", {"code": "odd_result", "error": f"{type(error).__name__}: {error}"[:300]}, "", None


@contextmanager
def _observing(wanted: bool) -> Iterator[list[Comparison]]:
    seen: list[Comparison] = []
    asked.set({})
    token = observed.set(seen if wanted else None)
    try:
        yield seen
    finally:
        observed.reset(token)


def _judge_error(report: Report, error: Exception) -> Report:
    return replace(report, finding={"code": "judge_error"}, internal=f"{type(error).__name__}: {error}")


def _not_run(case: Case) -> CaseResult:
    return CaseResult(case.name, case.sample, None)
