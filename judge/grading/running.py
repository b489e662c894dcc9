"""One grading in progress: its session in the sandbox, with the source loaded in it, as often as that is needed."""

from __future__ import annotations

import signal
from dataclasses import dataclass, field

from judge.grading.endings import of_end
from judge.grading.own_code import LoadedProblem
from judge.model import Case, CaseResult, Finding, Verdict
from judge.remote.connection import Connection, SubmissionFailed
from sandbox import Limits, Sandbox, SessionEnded
from sandbox.limits import LOAD_LIMIT_S

Failure = tuple[Verdict, Finding, str]
"""Verdict, finding and the learner's own frames."""


@dataclass
class Run:
    """`connection` is None where there is no process; `is_loaded` says that the source is in it and none of it raised.

    `cases`: these instead of all. With `sharing` the session is for so many gradings, and stays open after this one.
    """

    sandbox: Sandbox
    loaded: LoadedProblem
    source: bytes
    seed: int
    connection: Connection | None = None
    is_loaded: bool = False
    was_killed: bool = False
    peak_kb: int = 0
    results: list[CaseResult] = field(default_factory=list)
    exchanges: int = 0
    loading_s: float = 0.0
    printed_in_hidden: bool = False
    stop_at_failure: bool = False
    cases: tuple[Case, ...] = ()
    sharing: int = 1

    @property
    def only_function(self) -> str | None:
        """The name that a problem asks for, if it is one and a function."""
        names = self.loaded.names
        return next((name for name, kind in names.items() if kind == "function"), None) if len(names) == 1 else None

    def load(self) -> Failure | None:
        """Loads the source, or says what went wrong.

        What fails in a process that ran the source before may only be what it left there: then a new one is asked.
        """
        used = self.connection is not None
        failure = self._load()
        if failure is None or not (used and self.sandbox.cheap):
            return failure
        self.hang_up()
        return self._load()

    def _load(self) -> Failure | None:
        problem = self.loaded.problem
        cpu = LOAD_LIMIT_S + problem.limits.time_limit_s * (len(problem.cases) + 1) * 2
        limits = Limits(problem.limits.time_limit_s, problem.limits.memory_mb, cpu * self.sharing)
        connection = self.connection = self.connection or Connection(self.sandbox.open(limits), self.loaded.arguments)
        self.is_loaded, connection.time_used = True, 0.0
        try:
            connection.load(self.source, self.loaded.names, problem.forbidden, LOAD_LIMIT_S)
        except SubmissionFailed as error:
            self.peak_kb = max(self.peak_kb, connection.session.report().peak_kb)
            return error.verdict, error.finding, error.traceback
        except SessionEnded as error:
            if self.excuses(error):
                return self._load()
            verdict, finding = of_end(error, limits, loading=True)
            self.peak_kb = max(self.peak_kb, error.usage.peak_kb)
            return verdict, finding, ""
        finally:
            self.loading_s += connection.time_used
        return None

    def excuses(self, ended: SessionEnded) -> bool:
        """Whether the end of a process is no fault of the submission; then the next one is a new process.

        What was cold is warm from now on. SIGKILL may come from the kernel or an operator; the second is no chance.
        """
        if ended.kind == "cold":
            self.sandbox.warm()
        elif ended.kind == "signal" and ended.detail == signal.SIGKILL and not self.was_killed:
            self.was_killed = True
        else:
            return False
        self.hang_up()
        return True

    def hang_up(self) -> None:
        """Ends the process, if there is one."""
        self.is_loaded = False
        if self.connection is not None:
            self.exchanges += self.connection.exchanges
            self.connection.session.close()
            self.connection = None
