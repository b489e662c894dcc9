"""Which known mistake a wrong answer equals.

The requests of the grading are sent again, as they were, to the reference and to each known mistake, in a sandbox
session of their own. A mistake explains the failure if it answers the first failing case as the submission did, and
otherwise than the reference, and so in more than half of all failing cases. If several do, the one that explains most
is told, of those the one that shares most right results; a tie is not.

First each failing case is sent alone. Where no mistake explains them, what fails may hang on calls before: then all
cases are sent in their order, and a mistake must also answer as the submission did where that was right.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor

from judge.compare import TOLERANCE as STRICT
from judge.feedback.replay import Memory, OutOfTime, Replay
from judge.grading.own_code import LoadedProblem
from judge.model import BankSubmission, Problem, Report
from judge.remote.connection import MAX_LOGGED, Connection
from sandbox import Sandbox, wire

TOLERANCE = {torch.float64: 1e-7, torch.float32: 1e-4, torch.float16: 1e-2, torch.bfloat16: 6e-2}
"""Within which two implementations of one mistake agree; wider than the checks', for rounding is part of some."""
EXPLAINABLE = ("WA", "RTE", "RF")


@dataclass(frozen=True)
class Played:
    """One case of the grading: what was asked and answered. `fresh`: the first of a new process."""

    failed: bool
    fresh: bool
    log: list[tuple[bytes, wire.Frame]]


@dataclass
class Evidence:
    """Of the last grading: its cases in order, up to where there is no more room."""

    source_sha256: str
    seed: int
    cases: list[Played] = field(default_factory=list)
    size: int = 0

    def add(self, connection: Connection, *, failed: bool, fresh: bool) -> None:
        """The case that just ended."""
        self.size += connection.logged
        connection.logged = 0
        if self.size <= MAX_LOGGED:
            self.cases.append(Played(failed, fresh, connection.log))
        connection.log = []


def diagnose(
    sandbox: Sandbox,
    loaded: LoadedProblem,
    report: Report,
    evidence: Evidence,
    seconds: float,
    memory: Memory | None = None,
) -> str | None:
    """The name of the mistake that explains the failure, or None; takes at most about `seconds`.

    `memory` keeps answers for other diagnoses of the same problem.
    """
    if report.verdict not in EXPLAINABLE or not any(case.failed for case in evidence.cases):
        return None
    if (evidence.source_sha256, evidence.seed) != (report.source_sha256, report.seed):
        return None
    failing = [case for case in evidence.cases if case.failed]
    replay = Replay(sandbox, loaded, time.perf_counter() + seconds, memory)
    search = _Search(replay, loaded)
    try:
        alone = [replace(case, fresh=True) for case in failing]
        return search.best(alone) or (search.best(evidence.cases) if len(evidence.cases) > 1 else None)
    except OutOfTime:
        return None
    finally:
        replay.close()


class _Search:
    """Which candidate answers as the submission did."""

    def __init__(self, replay: Replay, loaded: LoadedProblem) -> None:
        self.replay, self.loaded = replay, loaded

    def best(self, cases: list[Played]) -> str | None:
        """The one mistake that explains most of the failing cases, if that is more than half of them."""
        asked = self._asked(cases)
        scores = {one.name: self._cases_explained(one.source, cases, asked) for one in candidates(self.loaded.problem)}
        best = max(scores.values(), default=(0.0, 0))
        matching = [name for name, score in scores.items() if score == best]
        return matching[0] if 2 * best[0] > sum(case.failed for case in cases) and len(matching) == 1 else None

    def _asked(self, cases: list[Played]) -> list[list[_Asked]]:
        """By case, what was asked; with the reference's answers where a case failed."""
        source = (self.loaded.problem.folder / "reference.py").read_bytes()
        is_loaded = False
        found = []
        for number, case in enumerate(cases):
            if case.fresh or not number:
                is_loaded = self.replay.load(source)
            correct = [self.replay.ask(request) if is_loaded and case.failed else None for request, _ in case.log]
            found.append([_Asked(*sent, right) for sent, right in zip(case.log, correct, strict=True)])
        return found

    def _cases_explained(self, source: bytes, cases: list[Played], asked: list[list[_Asked]]) -> tuple[float, int]:
        """How many failing cases this source answers as the submission did; in part for some of a case's wrong results.

        0 unless the first is explained whole, and the cases before it are answered alike. Then, for ties: how many of
        the submission's right results it has.
        """
        explained, agreed = 0.0, 0
        for number, (case, requests) in enumerate(zip(cases, asked, strict=True)):
            if (case.fresh or not number) and not self.replay.load(source):
                break
            share, right_too = self._share(requests, case.failed, whole=not explained)
            if not explained and share < 1:
                return 0.0, 0
            explained += share if case.failed else 0.0
            agreed += right_too
        return explained, agreed

    def _share(self, requests: list[_Asked], failed: bool, *, whole: bool) -> tuple[float, int]:
        """Of a failing case, the share of wrong results that the loaded source has too; of another, whether all.

        And how many right results it has. A wrong result close to the right one is not explained by the right one.
        If only the `whole` counts, no more is asked once a result is missing.
        """
        wrong = alike = agreed = 0
        for asked in requests:
            mine = self.replay.ask(asked.request)
            same = same_results(mine, asked.answer, TOLERANCE)
            told = same
            if asked.correct is not None:
                told = [s and not r for s, r in zip(same, asked.is_right, strict=True)]
                if any(told):
                    mine_right = same_results(mine, asked.correct, STRICT)
                    told = [t and not m for t, m in zip(told, mine_right, strict=False)]
            wrong += asked.is_right.count(False)
            alike += sum(told)
            agreed += sum(s and (r or asked.correct is None) for s, r in zip(same, asked.is_right, strict=True))
            if whole and alike < wrong:
                return 0.0, 0
        return alike / wrong if wrong else float(not failed), agreed


class _Asked:
    """A request with the submission's answer and, where the case failed, the reference's."""

    def __init__(self, request: bytes, answer: wire.Frame, correct: wire.Frame | None) -> None:
        self.request, self.answer, self.correct = request, answer, correct
        results = answer.header.get("results")
        unknown = [False] * (len(results) if isinstance(results, list) else 1)
        self.is_right = unknown if correct is None else same_results(correct, answer, STRICT)
        """For each result of the answer, whether the reference gives it too, as far as that was asked."""


def candidates(problem: Problem) -> list[BankSubmission]:
    """Mistakes that give an answer to compare, and have a sentence to show."""
    return [s for s in problem.submissions if set(s.expected) <= set(EXPLAINABLE) and s.sentence.en]


def same_results(mine: wire.Frame | None, theirs: wire.Frame, tolerance: dict[torch.dtype, float]) -> list[bool]:
    """For each result in an answer, whether the other answer to the same request has it too."""
    b = theirs.header.get("results")
    a = mine.header.get("results") if mine is not None else None
    if not isinstance(b, list):
        return [False]
    if mine is None or not isinstance(a, list):
        return [False] * len(b)
    pairs = zip(b, [*a, *[None] * len(b)], strict=False)
    return [_same_result(x, y, mine, theirs, tolerance) for y, x in pairs]


def _same_result(a: Any, b: Any, mine: wire.Frame, theirs: wire.Frame, tolerance: dict[torch.dtype, float]) -> bool:
    if not isinstance(a, dict) or not isinstance(b, dict):
        return False
    if "error" in a or "error" in b:
        return _error_facts(a) == _error_facts(b)
    if "parameters" in a or "parameters" in b:
        return _shapes(a, mine.tensors) == _shapes(b, theirs.tensors)
    if any(a.get(key) != b.get(key) for key in ("changed", "foreign", "not_module", "attached")):
        return False
    if not _same_measures(a.get("measured"), b.get("measured")):
        return False
    trees = [(a.get("value"), b.get("value")), (_as_tree(a.get("gradients")), _as_tree(b.get("gradients")))]
    return all(_same_tree(x, y, mine.tensors, theirs.tensors, tolerance) for x, y in trees)


def _same_measures(a: Any, b: Any) -> bool:
    """Storage and FLOPs of about the same size, as two implementations of one mistake have them."""
    if a is None and b is None:
        return True
    if not isinstance(a, dict) or not isinstance(b, dict):
        return False
    pairs = [(a.get(key), b.get(key)) for key in ("bytes", "flops")]
    return all(type(x) is int and type(y) is int and abs(x - y) * 20 <= max(abs(x), abs(y)) for x, y in pairs)


def _error_facts(result: dict[str, Any]) -> list[Any]:
    """Kind, type and message of an exception; sizes and counts in the message are its author's own."""
    error = result.get("error")
    if not isinstance(error, dict):
        return []
    return [error.get("kind"), error.get("type"), re.sub(r"\d+", "#", str(error.get("message")))]


def _shapes(reply: dict[str, Any], tensors: list[Tensor]) -> list[Any]:
    listed = [(name, n) for name, n, _ in reply.get("parameters", [])]
    return sorted([name, n if isinstance(n, list) else list(tensors[n].shape)] for name, n in listed)


def _as_tree(gradients: Any) -> Any:
    return [None if n is None else {"t": n} for n in gradients] if isinstance(gradients, list) else None


def _same_tree(a: Any, b: Any, mine: list[Tensor], theirs: list[Tensor], tolerance: dict[torch.dtype, float]) -> bool:
    if isinstance(a, dict) and isinstance(b, dict):
        if type(a.get("t")) is int and type(b.get("t")) is int:
            return _same_tensor(mine[a["t"]], theirs[b["t"]], tolerance)
        return a.keys() == b.keys() and all(_same_tree(a[k], b[k], mine, theirs, tolerance) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        pairs = zip(a, b, strict=False)
        return len(a) == len(b) and all(_same_tree(x, y, mine, theirs, tolerance) for x, y in pairs)
    if isinstance(a, float) and isinstance(b, float):
        return a == b or abs(a - b) <= 1e-7 * (1 + abs(a)) or (a != a and b != b)
    return type(a) is type(b) and bool(a == b)


def _same_tensor(a: Tensor, b: Tensor, tolerance: dict[torch.dtype, float]) -> bool:
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if not a.is_floating_point():
        return torch.equal(a, b)
    limit = tolerance.get(a.dtype, 1e-4)
    return torch.equal(a, b) or torch.allclose(a.double(), b.double(), rtol=limit, atol=limit, equal_nan=True)
