"""Which known mistake a wrong answer equals.

The requests of the failing cases are sent again, as they were, to the reference and to each known mistake, in a
sandbox session of their own. A mistake explains the failure if it answers the first failing case as the submission did,
and otherwise than the reference, and so in more than half of all failing cases. If several do, the one that explains
most is told; a tie is not.
"""

from __future__ import annotations

import re
import time
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from judge.compare import TOLERANCE as STRICT
from judge.connection import Connection, SubmissionFailed
from judge.model import BankSubmission, Problem, Report
from sandbox import Limits, SessionEnded, wire

if TYPE_CHECKING:
    from judge.grader import Evidence, Grader, LoadedProblem

TOLERANCE = {torch.float64: 1e-7, torch.float32: 1e-4, torch.float16: 1e-2, torch.bfloat16: 6e-2}
"""Within which two implementations of one mistake agree; wider than the checks', for rounding is part of some."""
EXPLAINABLE = ("WA", "RTE")


def diagnose(
    grader: Grader, loaded: LoadedProblem, source: bytes, report: Report, evidence: Evidence, seconds: float
) -> str | None:
    """The name of the mistake that explains the failure, or None; takes at most about `seconds`."""
    if report.verdict not in EXPLAINABLE or not evidence.cases:
        return None
    if (evidence.source_sha256, evidence.seed) != (report.source_sha256, report.seed):
        return None
    replay = _Replay(grader, loaded, evidence, time.perf_counter() + seconds)
    try:
        replay.answer_as_reference()
        scores = {mistake.name: replay.cases_explained(mistake.source) for mistake in candidates(loaded.problem)}
    except _OutOfTime:
        return None
    finally:
        replay.close()
    best = max(scores.values(), default=0)
    matching = [name for name, score in scores.items() if score == best]
    return matching[0] if 2 * best > len(evidence.cases) and len(matching) == 1 else None


class _OutOfTime(Exception):
    pass


class _Replay:
    """Sends the requests of the failing cases to other sources, in one session that is replaced when it ends."""

    def __init__(self, grader: Grader, loaded: LoadedProblem, evidence: Evidence, deadline: float) -> None:
        self.grader, self.loaded, self.evidence, self.deadline = grader, loaded, evidence, deadline
        self.connection: Connection | None = None
        self.right: list[list[wire.Frame | None]] = [[] for _ in evidence.cases]

    def answer_as_reference(self) -> None:
        """Keeps what the reference answers: a mistake must differ from that in the case it is to explain."""
        if self._load((self.loaded.problem.folder / "reference.py").read_bytes()):
            self.right = [[self._ask(request) for request, _ in case] for case in self.evidence.cases]

    def cases_explained(self, source: bytes) -> int:
        """How many failing cases this source answers as the submission did; 0 unless the first is among them."""
        if not self._load(source):
            return 0
        explained = 0
        for number, case in enumerate(self.evidence.cases):
            differs = False
            for (request, answer), right in zip_longest(case, self.right[number]):
                mine = self._ask(request)
                if mine is None or not same_frame(mine, answer, TOLERANCE):
                    break
                differs = differs or right is None or not same_frame(mine, right, STRICT)
            else:
                explained += differs
            if not explained:
                return 0
        return explained

    def _load(self, source: bytes) -> bool:
        problem = self.loaded.problem
        limits = Limits(problem.limits.time_limit_s, problem.limits.memory_mb)
        try:
            self.connection = self.connection or Connection(self.grader.sandbox.open(limits))
            self.connection.load(source, self.loaded.names, problem.forbidden, self._left())
        except SubmissionFailed:
            return False
        except SessionEnded:
            self.connection = None
            return False
        return True

    def _ask(self, request: bytes) -> wire.Frame | None:
        if self.connection is None:
            return None
        try:
            head, body, _ = self.connection.session.exchange(request, self._left())
            return wire.decode(head, body, contiguous=True)
        except (SessionEnded, wire.WireError):
            self.connection = None
            return None

    def _left(self) -> float:
        left = self.deadline - time.perf_counter()
        if left <= 0:
            raise _OutOfTime
        return left

    def close(self) -> None:
        if self.connection is not None:
            self.connection.session.close()


def candidates(problem: Problem) -> list[BankSubmission]:
    """Mistakes that give an answer to compare, and have a sentence to show."""
    return [s for s in problem.submissions if set(s.expected) <= set(EXPLAINABLE) and s.sentence.en]


def same_frame(mine: wire.Frame, theirs: wire.Frame, tolerance: dict[torch.dtype, float]) -> bool:
    """Whether two answers to one request hold the same results."""
    a, b = mine.header.get("results"), theirs.header.get("results")
    if not isinstance(a, list) or not isinstance(b, list) or len(a) != len(b):
        return False
    return all(_same_result(x, y, mine, theirs, tolerance) for x, y in zip(a, b, strict=True))


def _same_result(a: Any, b: Any, mine: wire.Frame, theirs: wire.Frame, tolerance: dict[torch.dtype, float]) -> bool:
    if not isinstance(a, dict) or not isinstance(b, dict):
        return False
    if "error" in a or "error" in b:
        return _error_facts(a) == _error_facts(b)
    if "parameters" in a or "parameters" in b:
        return _shapes(a, mine.tensors) == _shapes(b, theirs.tensors)
    if any(a.get(key) != b.get(key) for key in ("changed", "foreign", "not_module", "attached")):
        return False
    trees = [(a.get("value"), b.get("value")), (_as_tree(a.get("gradients")), _as_tree(b.get("gradients")))]
    return all(_same_tree(x, y, mine.tensors, theirs.tensors, tolerance) for x, y in trees)


def _error_facts(result: dict[str, Any]) -> list[Any]:
    """Kind, type and message of an exception; sizes and counts in the message are its author's own."""
    error = result.get("error")
    if not isinstance(error, dict):
        return []
    return [error.get("kind"), error.get("type"), re.sub(r"\d+", "#", str(error.get("message")))]


def _shapes(reply: dict[str, Any], tensors: list[Tensor]) -> list[Any]:
    return sorted([name, list(tensors[number].shape)] for name, number, _ in reply.get("parameters", []))


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
    return torch.allclose(a.double(), b.double(), rtol=limit, atol=limit, equal_nan=True)
