"""The smallest failing input."""

from __future__ import annotations

from judge.model import Report, Smallest
from judge.own_code import LoadedProblem
from sandbox import Sandbox


def find_smallest(
    sandbox: Sandbox, loaded: LoadedProblem, source: bytes, report: Report, seconds: float
) -> Smallest | None:
    return None
