"""What `verify` found before, kept by content: one JSON file a problem folder in the user's cache directory.

    key     SHA-256 of all that a result depends on: the judge's and the sandbox's own code, versions, driver, the
            problem's reference, tests, starter and limits, the submission, the seeds
    value   whatever JSON the caller gives

The oldest entries are dropped. Nothing is kept of a run during which code or problem changed. A file
that cannot be read or written costs time, nothing else.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from judge.loader import load_problem
from judge.model import Problem

MAX_ENTRIES = 4000
"""Of one problem: its submissions and mutants, as they are and as they recently were."""
NO_VERDICT = ("cli", "store", "migrations")
"""Folders of the judge that no verdict depends on."""


class Cache:
    """The results kept for one problem folder."""

    def __init__(self, problem: Problem) -> None:
        place = hashlib.sha256(str(problem.folder.resolve()).encode()).hexdigest()[:16]
        self.path = user_cache_path("attention-judge") / "verify" / f"{problem.slug}-{place}.json"
        self.problem, self.own = problem, own_digest()
        self.known: dict[str, Any] = {}
        self.used: dict[str, Any] = {}
        with contextlib.suppress(OSError, ValueError):
            content = json.loads(self.path.read_text(encoding="utf-8"))
            self.known = content if isinstance(content, dict) else {}

        self.basis = hashlib.sha256(self.own.encode())
        for name in ("reference.py", "tests.py", "starter.py"):
            self.basis.update((problem.folder / name).read_bytes() + b"\0")
        self.basis.update(repr((problem.limits, problem.forbidden, problem.names)).encode())

    def key(self, *parts: Any) -> str:
        """Of one grading: the problem as far as verdicts depend on it, and `parts`, whose repr says all of them."""
        digest = self.basis.copy()
        digest.update(repr(parts).encode())
        return digest.hexdigest()

    def get(self, key: str) -> Any:
        """The value kept for a key, or None."""
        value = self.known.get(key)
        if value is not None:
            self.used[key] = value
        return value

    def put(self, key: str, value: Any) -> None:
        self.used[key] = value

    def save(self) -> None:
        """Writes what was used now and, as far as there is room, before."""
        now = load_problem(self.problem.folder.parent, self.problem.slug)
        if (now.digest, own_digest()) != (self.problem.digest, self.own):
            return
        entries = {**self.used, **{key: value for key, value in self.known.items() if key not in self.used}}
        kept = dict(list(entries.items())[:MAX_ENTRIES])
        if list(kept) == list(self.known):
            return
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            beside = self.path.with_suffix(f".{os.getpid()}")
            beside.write_text(json.dumps(kept, separators=(",", ":")), encoding="utf-8")
            beside.replace(self.path)


def own_digest() -> str:
    """Of the code that grades and the versions it runs on."""
    digest = hashlib.sha256(f"{version('torch')} {version('numpy')} {sys.version}".encode())
    for path in _own_files():
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _own_files() -> Iterator[Path]:
    root = Path(__file__).resolve().parent.parent.parent
    for package in ("judge", "sandbox"):
        for path in sorted((root / package).rglob("*.py")):
            if path.relative_to(root / package).parts[0] not in NO_VERDICT:
                yield path
