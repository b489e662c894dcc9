"""A web app over a bank of one small problem and a fresh store. Verdicts are given by hand, as a worker would."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from judge.config import Config
from judge.model import CaseResult, Finding, Report, Verdict
from judge.store import Claim, Store
from web import create_app

PORT = 8123
BASE = f"http://127.0.0.1:{PORT}"
SOURCE = "def double(x):\n    return x * 2\n"
CASES = ("test_example_two", "test_large", "test_gradient")
FOLDER = {
    "problem.toml": """title = "Double it"
difficulty = "easy"
tags = ["warm-up"]
[zh]
title = "翻倍"
[zh.cases]
test_large = "很大的数"
[zh.mistakes]
squares = "你把输入平方了。"
""",
    "statement.en.md": "Return $2x$.\n\n$$\\mathrm{double}(x) = 2x$$\n\n## Hint 1\n\nAdd it to itself.\n",
    "statement.zh.md": "返回 $2x$。\n\n## 提示 1\n\n与自身相加。\n",
    "explanation.en.md": "Twice is a sum.\n",
    "starter.py": "def double(x):\n    ...\n",
    "reference.py": "def double(x):\n    return x + x  # the secret way\n",
    "tests.py": '''def test_example_two(solution, reference, rng):
    """Two"""

def test_large(solution, reference, rng):
    """Large numbers"""

def test_gradient(solution, reference, rng):
    """The gradient"""
''',
    "submissions/wrong_answer/squares.py": '"""Your result is the square of the input."""\n',
}


class LoopbackClient(FlaskClient):
    """Asks the address that the judge is served at."""

    def open(self, *args: Any, **fields: Any) -> TestResponse:
        return super().open(*args, **{"base_url": BASE} | fields)


@dataclass
class WebJudge:
    """`folder`: an empty folder for bank, database and key."""

    folder: Path
    port: int = PORT
    options: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        add_problem(self.folder / "bank", "double")
        self.config = Config(problems=self.folder / "bank", data=self.folder / "data", port=self.port, **self.options)
        self.store = Store.open(self.config.database)
        self.app = create_app(self.config, self.store)

    def client(self) -> FlaskClient:
        """A browser-like client with cookies of its own; unsafe requests need `csrf`."""
        return LoopbackClient(self.app, self.app.response_class)

    def learner(self) -> tuple[FlaskClient, dict[str, str]]:
        """A client that has a cookie, and the header its unsafe requests need."""
        client = self.client()
        return client, {"X-CSRFToken": client.get("/api/v1/session").json["csrf"]}

    def claim(self) -> Claim:
        claim = self.store.claim("by hand", 60)
        assert claim is not None
        return claim

    def finish(
        self, verdict: Verdict = "AC", finding: Finding | None = None, claim: Claim | None = None, **more: Any
    ) -> Claim:
        """Gives the oldest queued judging (or the claimed one) its verdict: the second case fails, unless AC."""
        claim = claim or self.claim()
        unjudged = verdict in ("CE", "JE")
        report = Report(
            problem=claim.problem,
            verdict=verdict,
            cases=() if unjudged else cases(verdict, finding),
            time_ms=12.5,
            memory_kb=4096,
            sandbox="local",
            seed=7,
            source_sha256=hashlib.sha256(claim.source).hexdigest(),
            finding=finding if unjudged else None,
            samples_only=claim.samples_only,
        )
        assert self.store.finish(claim, report, **more)
        return claim


def cases(verdict: Verdict, finding: Finding | None = None) -> tuple[CaseResult, ...]:
    first = CaseResult(CASES[0], True, "AC", 1.5)
    second = CaseResult(CASES[1], False, verdict, 2.5, finding=finding)
    return first, second, CaseResult(CASES[2], False, "AC" if verdict in ("AC", "WA") else None, 0.5)


def add_problem(bank: Path, slug: str) -> Path:
    for name, text in FOLDER.items():
        path = bank / slug / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return bank / slug


def submit(client: FlaskClient, headers: dict[str, str], **fields: Any) -> TestResponse:
    body = {"problem": "double", "source": SOURCE} | fields
    return client.post("/api/v1/submissions", json=body, headers=headers)
