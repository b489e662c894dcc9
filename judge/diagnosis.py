"""Which known mistake a wrong answer equals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.model import Problem, Report

if TYPE_CHECKING:
    from judge.grader import Grader


def diagnose(grader: Grader, problem: Problem, source: bytes, report: Report, seconds: float) -> str | None:
    return None
