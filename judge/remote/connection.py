"""A sandbox session as the grader sees it: requests out, answers in, and the submission's faults as exceptions.

`CheckFailed` is a wrong answer, `SubmissionFailed` an exception in the submission's code or a restricted function;
how its process ends is `sandbox.SessionEnded`. Whatever arrives is checked before it is used: what does not fit the
protocol is `garbled`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeGuard

import torch
from torch import Tensor

from judge.compare import CheckFailed
from judge.model import Finding, Verdict
from judge.remote.calls import Measured
from sandbox import Session, SessionEnded, wire
from sandbox.source import SourceError

_MEGABYTE = 1 << 20
MAX_LOGGED = 1 << 25
"""Bytes of requests and answers that are kept for the diagnosis: of one child, and of one grading."""
OBJECTS = 32
"""Times the bytes of a header that its objects take, once it is read: `{}` is 64 bytes, and a place in a list."""


class SubmissionFailed(Exception):
    """The submission's code raised, or did what it may not. Carries verdict, finding and the learner's own frames."""

    def __init__(self, verdict: Verdict, finding: Finding, traceback: str = "") -> None:
        self.verdict, self.finding, self.traceback = verdict, finding, traceback
        super().__init__(str(finding))


Answer = tuple[dict[str, Any], list[Tensor]]
"""The result of one call, and the tensors of its frame."""


class Connection:
    """A session and what is counted over it: exchanges, and the submission's wall time in them."""

    def __init__(self, session: Session, argument_names: Mapping[str, Sequence[str]] | None = None) -> None:
        self.session = session
        self.time_left = session.limits.time_s
        self.time_used = 0.0
        self.exchanges = 0
        self.released: list[int] = []
        self.argument_names = argument_names or {}
        self.handles = 0
        self.unanswered: list[int] = []
        """The largest shape in the request that the submission's process ended in."""
        self.logged = 0
        self.log: list[tuple[bytes, wire.Frame]] = []
        """Requests and answers of the current case, for the diagnosis."""

    def start_case(self, position: int) -> None:
        """Each case has the whole time limit, and handles of its own: its requests do not hang on earlier cases."""
        self.time_left, self.time_used = self.session.limits.time_s, 0.0
        self.handles = position << 16
        self.log = []

    def load(self, source: bytes, names: Mapping[str, str], forbidden: Sequence[str], seconds: float) -> None:
        """Loads the source, also anew. Raises SubmissionFailed (CE, RTE, MLE, RF) or SessionEnded."""
        self.released = []  # graphs of an earlier load are gone, and their numbers are given again
        content = torch.frombuffer(bytearray(source) or bytearray(b"\n"), dtype=torch.uint8)
        header = {"op": "load", "names": dict(names), "forbidden": list(forbidden)}
        reply = self._exchange(header, [content], seconds).header
        if reply.get("ok") is not True:
            raise _load_failure(reply.get("error"), self)

    def calls(
        self, calls: list[dict[str, Any]], tensors: list[Tensor], first: Callable[[Answer], bool] | None = None
    ) -> list[Answer]:
        """Makes the calls in one frame; each result as its dict and the frame's tensors.

        `first` is called with the first result before the others are looked at; where it says no, they are left out.
        """
        found: list[Answer] = []
        for answer in self.answers(calls, tensors):
            if isinstance(answer, Exception):
                raise answer
            found.append(answer)
            if first is not None and len(found) == 1 and not first(answer):
                return found
        if len(found) != len(calls):
            raise self.session.garbled()
        return found

    def answers(
        self, calls: list[dict[str, Any]], tensors: list[Tensor]
    ) -> list[Answer | CheckFailed | SubmissionFailed]:
        """As `calls`, with what is wrong with an answer in its place. An exception of the submission ends the list."""
        header = {"op": "calls", "release": self.released.copy(), "calls": calls}
        self.released.clear()
        frame = self._exchange(header, tensors, self.time_left)
        results = frame.header.get("results")
        if not isinstance(results, list) or len(results) > len(calls):
            raise self.session.garbled()
        found: list[Answer | CheckFailed | SubmissionFailed] = []
        for call, result in zip(calls, results, strict=False):
            if not isinstance(result, dict):
                raise self.session.garbled()
            try:
                self._raise_findings(call, result)
                found.append((result, frame.tensors))
            except (CheckFailed, SubmissionFailed) as error:
                found.append(error)
        if "error" in frame.header:
            found.append(_failure(frame.header["error"], self))
        return found

    def _exchange(self, header: dict[str, Any], tensors: list[Tensor], seconds: float) -> wire.Frame:
        request = wire.encode(header, tensors)
        self.exchanges += 1
        start = time.perf_counter()
        try:
            head, body, took = self.session.exchange(request, seconds)
        except SessionEnded:
            self.time_used += min(time.perf_counter() - start, seconds)  # past its limit only the judge was at work
            self.unanswered = list(max((tensor.shape for tensor in tensors), key=math.prod, default=()))
            raise
        self.time_used += took
        self.time_left -= took
        try:
            frame = wire.decode(head, body, contiguous=True)
        except wire.WireError:
            raise self.session.garbled() from None
        self.logged += len(request) + OBJECTS * len(head) + len(body)
        if self.logged <= MAX_LOGGED:
            self.log.append((request, frame))
        return frame

    def _raise_findings(self, call: dict[str, Any], result: dict[str, Any]) -> None:
        if "error" in result:
            raise _failure(result["error"], self)
        changed = result.get("changed")
        if isinstance(changed, list) and changed:
            raise CheckFailed("input_changed", argument=self._argument(call, changed[0]))
        if "foreign" in result:
            name = clean(result["foreign"], 200)
            if name == "coroutine":
                raise CheckFailed("coroutine")
            raise CheckFailed("foreign", got=name)
        if "too_large" in result:
            size, listed = result.get("bytes"), result["too_large"]
            shape = [n for n in listed[:16] if _is_size(n)] if isinstance(listed, list) else []
            raise CheckFailed("too_large", got=shape, megabytes=size // _MEGABYTE if _is_size(size) else 0)
        if "not_module" in result:
            raise CheckFailed("not_module", name=call["target"], got=clean(result["not_module"], 200))

    def _argument(self, call: dict[str, Any], position: Any) -> str:
        names = self.argument_names.get(str(call.get("label", call.get("target"))), ())
        if type(position) is int and 0 <= position < len(names):
            return names[position]
        return clean(position, 100)

    def value(self, tree: Any, tensors: list[Tensor]) -> Any:
        """A decoded result; what cannot travel is a wrong answer that names its type."""
        try:
            value = wire.decode_value(tree, tensors)
        except wire.WireError:
            raise self.session.garbled() from None
        return _refuse_other(value)

    def measured(self, found: Any) -> Measured:
        """What a submission's process says it used: sizes, whatever they are worth."""
        if not isinstance(found, dict) or not isinstance(found.get("shape"), list) or len(found["shape"]) > 16:
            raise self.session.garbled()
        numbers = [found.get("bytes"), found.get("flops"), *found["shape"]]
        sizes = [n for n in numbers if _is_size(n)]
        if len(sizes) != len(numbers):
            raise self.session.garbled()
        return Measured(sizes[0], tuple(sizes[2:]), sizes[1])

    def shape(self, found: Any) -> tuple[int, ...]:
        """Sizes that nothing is made of."""
        if not isinstance(found, list) or len(found) > wire.MAX_DIMS or not all(_is_size(n) for n in found):
            raise self.session.garbled()
        return tuple(found)

    def tensor(self, number: Any, tensors: list[Tensor]) -> Tensor:
        if type(number) is not int or not 0 <= number < len(tensors):
            raise self.session.garbled()
        return tensors[number]


def _refuse_other(value: Any) -> Any:
    if isinstance(value, wire.Other):
        name = clean(value.name, 200)
        raise CheckFailed("coroutine") if name == "coroutine" else CheckFailed("foreign", got=name)
    if isinstance(value, (list, tuple)):
        return type(value)(_refuse_other(item) for item in value)
    if isinstance(value, dict):
        return {clean(key, 10_000): _refuse_other(item) for key, item in value.items()}
    return clean(value, 10_000) if isinstance(value, str) else value


def _is_size(number: Any) -> TypeGuard[int]:
    return type(number) is int and 0 <= number < 1 << 63


def clean(text: Any, cap: int) -> str:
    """Text from a submission: bounded, and without lone surrogates, which no database takes."""
    plain = text if isinstance(text, (str, int, float)) else ""  # the text of a deep list may be a RecursionError
    return str(plain)[:cap].encode("utf-8", "replace").decode("utf-8")


def _error_fields(error: Any, connection: Connection) -> tuple[str, str, str, int | None, str]:
    if not isinstance(error, dict):
        raise connection.session.garbled()
    line = error.get("line")
    return (
        clean(error.get("kind"), 20),
        clean(error.get("type", ""), 100),
        clean(error.get("message", ""), 2000),
        line if type(line) is int and 0 < line < 1 << 31 else None,
        clean(error.get("traceback", ""), 8000),
    )


def _failure(error: Any, connection: Connection) -> SubmissionFailed:
    kind, name, message, line, traceback = _error_fields(error, connection)
    if kind == "restricted":
        return SubmissionFailed("RF", {"code": "restricted", "name": message, "line": line}, traceback)
    if kind == "memory":
        return SubmissionFailed("MLE", {"code": "memory", "limit": connection.session.limits.memory_mb}, traceback)
    return SubmissionFailed("RTE", {"code": "exception", "type": name, "message": message, "line": line}, traceback)


def _load_failure(error: Any, connection: Connection) -> SubmissionFailed:
    kind, name, message, line, traceback = _error_fields(error, connection)
    if kind == "syntax":
        column, text = error.get("column"), clean(error.get("text", ""), 200)
        fault = SourceError(line or 1, column if _is_size(column) else 1, message, text,
                            clean(error.get("character", ""), 1))  # fmt: skip
        return SubmissionFailed("CE", fault.finding())
    if kind == "missing":
        listed = error.get("found")
        found = [clean(item, 60) for item in listed[:20]] if isinstance(listed, list) else []
        return SubmissionFailed("CE", {"code": "missing_name", "name": clean(error.get("name"), 100),
                                       "found": ", ".join(found) or "-"})  # fmt: skip
    if kind == "not_callable":
        return SubmissionFailed("CE", {"code": "not_callable", "name": clean(error.get("name"), 100),
                                       "got": clean(error.get("got"), 100),
                                       "expected": clean(error.get("expected"), 20)})  # fmt: skip
    if kind == "load":
        return SubmissionFailed("CE", {"code": "load", "type": name, "message": message, "line": line}, traceback)
    return _failure(error, connection)
