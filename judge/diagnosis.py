"""Which known mistake a wrong answer equals.

The requests of the failing cases are sent again, as they were, to each known mistake in one sandbox session of their
own. A mistake explains the failure if it answers every one of them as the submission did, and no other does.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from judge.connection import Connection, SubmissionFailed
from judge.model import BankSubmission, Problem, Report
from sandbox import Limits, SessionEnded, wire

if TYPE_CHECKING:
    from judge.grader import Evidence, Grader, LoadedProblem

TOLERANCE = {torch.float64: 1e-7, torch.float32: 1e-4, torch.float16: 1e-2, torch.bfloat16: 6e-2}
EXPLAINABLE = ("WA", "RTE")


def diagnose(
    grader: Grader, loaded: LoadedProblem, source: bytes, report: Report, evidence: Evidence, seconds: float
) -> str | None:
    """The name of the one mistake that answers as the submission did, or None; takes at most about `seconds`."""
    if report.verdict not in EXPLAINABLE or not evidence.exchanges:
        return None
    if (evidence.source_sha256, evidence.seed) != (report.source_sha256, report.seed):
        return None
    problem = loaded.problem
    deadline = time.perf_counter() + seconds
    limits = Limits(problem.limits.time_limit_s, problem.limits.memory_mb)
    matching: list[str] = []
    connection: Connection | None = None
    try:
        for mistake in candidates(problem):
            if time.perf_counter() > deadline:
                return None
            try:
                connection = connection or Connection(grader.sandbox.open(limits))
                connection.load(mistake.source, loaded.names, problem.forbidden, seconds)
                if all(_same(connection, request, answer, deadline) for request, answer in evidence.exchanges):
                    matching.append(mistake.name)
            except SubmissionFailed:
                continue
            except SessionEnded:
                connection = None
            if len(matching) > 1:
                return None
    finally:
        if connection is not None:
            connection.session.close()
    return matching[0] if matching else None


def candidates(problem: Problem) -> list[BankSubmission]:
    """Mistakes that give an answer to compare, and have a sentence to show."""
    return [s for s in problem.submissions if set(s.expected) <= set(EXPLAINABLE) and s.sentence.en]


def _same(connection: Connection, request: bytes, answer: wire.Frame, deadline: float) -> bool:
    head, body, _ = connection.session.exchange(request, max(0.01, deadline - time.perf_counter()))
    try:
        frame = wire.decode(head, body, contiguous=True)
    except wire.WireError:
        return False
    mine, theirs = frame.header.get("results"), answer.header.get("results")
    if not isinstance(mine, list) or not isinstance(theirs, list) or len(mine) != len(theirs):
        return False
    return all(_same_result(a, b, frame.tensors, answer.tensors) for a, b in zip(mine, theirs, strict=True))


def _same_result(mine: Any, theirs: Any, my_tensors: list[Tensor], their_tensors: list[Tensor]) -> bool:
    if not isinstance(mine, dict) or not isinstance(theirs, dict):
        return False
    if "error" in mine or "error" in theirs:
        facts = [[r.get("error", {}).get(key) for key in ("kind", "type", "message")] for r in (mine, theirs)]
        return facts[0] == facts[1]
    if "parameters" in mine or "parameters" in theirs:
        return _shapes(mine, my_tensors) == _shapes(theirs, their_tensors)
    if any(mine.get(key) != theirs.get(key) for key in ("changed", "foreign", "not_module", "attached")):
        return False
    return _same_tree(mine.get("value"), theirs.get("value"), my_tensors, their_tensors) and _same_tree(
        _as_tree(mine.get("gradients")), _as_tree(theirs.get("gradients")), my_tensors, their_tensors
    )


def _shapes(reply: dict[str, Any], tensors: list[Tensor]) -> list[Any]:
    return sorted([name, list(tensors[number].shape)] for name, number, _ in reply.get("parameters", []))


def _as_tree(gradients: Any) -> Any:
    return [None if n is None else {"t": n} for n in gradients] if isinstance(gradients, list) else None


def _same_tree(a: Any, b: Any, a_tensors: list[Tensor], b_tensors: list[Tensor]) -> bool:
    if isinstance(a, dict) and isinstance(b, dict) and type(a.get("t")) is int and type(b.get("t")) is int:
        return _same_tensor(a_tensors[a["t"]], b_tensors[b["t"]])
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same_tree(a[k], b[k], a_tensors, b_tensors) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(_same_tree(x, y, a_tensors, b_tensors) for x, y in zip(a, b, strict=True))
    if isinstance(a, float) and isinstance(b, float):
        return a == b or abs(a - b) <= 1e-7 * (1 + abs(a)) or (a != a and b != b)
    return type(a) is type(b) and bool(a == b)


def _same_tensor(a: Tensor, b: Tensor) -> bool:
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if not a.is_floating_point():
        return torch.equal(a, b)
    limit = TOLERANCE.get(a.dtype, 1e-4)
    return torch.allclose(a.double(), b.double(), rtol=limit, atol=limit, equal_nan=True)
