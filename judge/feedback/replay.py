"""Requests sent again, as they were, to another source: what the diagnosis asks known mistakes.

    load(source) -> ask(request) -> ask(request) ...      one session, replaced when it ends

With a `Memory`, what a source answered after the same requests is not asked again: `verify` diagnoses each mistake of a
problem against all of them, with the same inputs. A source is then loaded only when an answer is missing.
"""

from __future__ import annotations

import hashlib
import time

from judge.grading.own_code import LoadedProblem
from judge.remote.connection import Connection, SubmissionFailed
from sandbox import Limits, Sandbox, SessionEnded, wire

MAX_REMEMBERED = 1 << 27
"""Bytes of answers that are kept."""


class OutOfTime(Exception):
    """The deadline is over."""


class Memory:
    """Answers by what led to them: a digest of the source and of all requests since it was loaded."""

    def __init__(self) -> None:
        self.loads: dict[bytes, bool] = {}
        self.answers: dict[bytes, wire.Frame | None] = {}
        self.size = 0

    def put(self, state: bytes, answer: wire.Frame | None) -> None:
        self.size += 1000 + sum(tensor.nbytes for tensor in answer.tensors) if answer else 100
        if self.size <= MAX_REMEMBERED:
            self.answers[state] = answer


class Replay:
    """One source after the other, in a session of its own."""

    def __init__(self, sandbox: Sandbox, loaded: LoadedProblem, deadline: float, memory: Memory | None = None) -> None:
        self.sandbox, self.loaded, self.deadline = sandbox, loaded, deadline
        self.memory = memory or Memory()
        self.connection: Connection | None = None
        self.source, self.state = b"", b""
        self.unsent: list[bytes] = []
        self.is_loaded = False

    def load(self, source: bytes) -> bool:
        """Whether the source loads; what was asked of the one before is forgotten."""
        self.source, self.state = source, hashlib.sha256(source).digest()
        self.unsent, self.is_loaded = [], False
        known = self.memory.loads.get(self.state)
        if known is None:
            known = self.memory.loads[self.state] = self._load()
        return known

    def ask(self, request: bytes) -> wire.Frame | None:
        """The answer, or None where there is none."""
        self.state = hashlib.sha256(self.state + request).digest()
        self.unsent.append(request)
        if self.state in self.memory.answers:
            return self.memory.answers[self.state]
        if not self.is_loaded:
            self._load()
        answer = None
        for pending in self.unsent:
            answer = self._send(pending)
        self.unsent = []
        self.memory.put(self.state, answer)
        return answer

    def _load(self) -> bool:
        problem = self.loaded.problem
        limits = Limits(problem.limits.time_limit_s, problem.limits.memory_mb)
        self.is_loaded = True
        try:
            self.connection = self.connection or Connection(self.sandbox.open(limits))
            self.connection.load(self.source, self.loaded.names, problem.forbidden, self._left())
        except SubmissionFailed:
            return False
        except SessionEnded:
            self.connection = None
            return False
        return True

    def _send(self, request: bytes) -> wire.Frame | None:
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
            raise OutOfTime
        return left

    def close(self) -> None:
        if self.connection is not None:
            self.connection.session.close()
