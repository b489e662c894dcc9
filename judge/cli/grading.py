"""Grading on this machine: what needs no torch comes first, then a sandbox and a grader that stay together.

The sandbox's own process is started before the grader is imported, so that both import torch side by side.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any

from judge.model import MAX_SOURCE_BYTES, CaseResult, Finding, Problem, Report
from judge.own_input import OwnInput

if TYPE_CHECKING:
    from judge.grading.grader import Grader
    from sandbox import Sandbox

TRIES = 3
UNDIAGNOSED = ("AC", "CE", "JE")


def failure_json(slug: str, source: bytes, sentence: str, *, sandbox: str, seed: int, samples: bool) -> dict[str, Any]:
    """The object of the contract where there was nothing to grade with."""
    return {
        "problem": slug, "verdict": "JE", "message": sentence, "finding": {"code": "judge_error"}, "cases": [],
        "time_ms": 0.0, "memory_kb": 0, "sandbox": sandbox, "seed": seed, "diagnosis": None, "smallest": None,
        "source_sha256": hashlib.sha256(source).hexdigest(), "samples_only": samples,
    }  # fmt: skip


def precheck(problem: Problem, source: bytes, *, driver: str, seed: int | None, samples_only: bool) -> Report | None:
    """The grader's report for a source that is too long or does not compile, without torch; else None."""
    finding = _fault(source)
    if finding is None:
        return None
    cases = problem.samples if samples_only else problem.cases
    return Report(
        problem.slug, "CE", tuple(CaseResult(case.name, case.sample, None) for case in cases), 0.0, 0,
        _driver_name(driver), secrets.randbelow(1 << 31) if seed is None else seed,
        hashlib.sha256(source).hexdigest(), finding, samples_only=samples_only,
    )  # fmt: skip


def _fault(source: bytes) -> Finding | None:
    from sandbox.source import SourceError, compile_source

    if len(source) > MAX_SOURCE_BYTES:
        return {"code": "too_long", "size": len(source), "limit": MAX_SOURCE_BYTES}
    try:
        compile_source(source)
    except SourceError as error:
        return error.finding()
    return None


def _driver_name(driver: str) -> str:
    from sandbox import SandboxUnavailable, resolve

    try:
        return resolve(driver)
    except SandboxUnavailable:
        return driver


class Session:
    """A warm sandbox and grader, for one grading or many. Opened on the first grading."""

    def __init__(self, driver: str) -> None:
        self.driver = driver
        self.sandbox: Sandbox | None = None
        self.grader: Grader | None = None

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def open(self) -> Grader:
        """Raises SandboxUnavailable."""
        if self.grader is None:
            from sandbox import open_sandbox, pinned

            self.driver = pinned(self.driver)
            self.sandbox = open_sandbox(self.driver)
            from judge.grading.grader import Grader

            self.grader = Grader(self.sandbox)
        return self.grader

    def close(self) -> None:
        for part in (self.grader, self.sandbox):
            if part is not None:
                part.close()
        self.grader = self.sandbox = None

    def grade(
        self,
        problem: Problem,
        source: bytes,
        *,
        seed: int | None,
        samples_only: bool,
        own_input: OwnInput | None = None,
        on_case: Callable[[CaseResult], None],
    ) -> Report:
        """Grades and explains what failed. Where the sandbox fails, all is opened anew and tried again."""
        seen: set[str] = set()

        def once(case: CaseResult) -> None:
            if case.name not in seen:
                seen.add(case.name)
                on_case(case)

        for left in reversed(range(TRIES)):
            report = self.open().grade(
                problem, source, seed=seed, samples_only=samples_only, own_input=own_input, on_case=once
            )
            if not report.internal.startswith("SandboxFault") or not left:
                break
            self.close()
        if report.verdict not in UNDIAGNOSED and own_input is None:
            found = self.open().explain(problem, source, report)
            report = replace(report, diagnosis=found.mistake, smallest=found.smallest)
        return report
