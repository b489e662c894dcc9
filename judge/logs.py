"""What the judge's processes say on stderr: a line of text each, or with JUDGE_LOG=json an object each.

Lines that belong to a submission carry its number all along, from the request to the verdict and its explanation.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_submission: ContextVar[int | None] = ContextVar("submission", default=None)


@contextmanager
def about(submission_id: int) -> Iterator[None]:
    """What is logged inside belongs to this submission."""
    token = _submission.set(submission_id)
    try:
        yield
    finally:
        _submission.reset(token)


class _AsText(logging.Formatter):
    def __init__(self) -> None:
        super().__init__("%(asctime)s %(name)s[%(process)d] %(levelname)s: %(about)s%(message)s")

    def format(self, record: logging.LogRecord) -> str:
        number = _submission.get()
        record.about = f"submission {number}: " if number is not None else ""
        return super().format(record)


class _AsJson(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z"
        line = {"time": at, "level": record.levelname.lower(), "logger": record.name, "process": record.process}
        if (number := _submission.get()) is not None:
            line["submission"] = number
        line["message"] = record.getMessage()
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def configure(kind: str, level: int = logging.INFO) -> None:
    """Once in each process; `kind`: text or json, which has everything from INFO on."""
    handler = logging.StreamHandler()
    handler.setFormatter(_AsJson() if kind == "json" else _AsText())
    logging.basicConfig(level=logging.INFO if kind == "json" else level, handlers=[handler])
