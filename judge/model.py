"""The values that the other modules exchange. No torch, no database, no HTTP.

Problem      one folder of the bank, as the loader read it
CaseResult   what became of one `test_*` function
Report       one grading: verdict, cases, time, memory
Smallest     a small input on which a wrong answer shows
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

Lang = Literal["en", "zh"]
Verdict = Literal["AC", "WA", "TLE", "MLE", "OLE", "RTE", "CE", "RF", "JE"]
Status = Literal["queued", "running", "done", "cancelled"]
Difficulty = Literal["easy", "medium", "hard"]
Stage = Literal["foundations", "masks", "heads", "positions", "caches", "kernels", "blocks"]

VERDICTS: tuple[Verdict, ...] = ("AC", "WA", "TLE", "MLE", "OLE", "RTE", "CE", "RF", "JE")
LANGS: tuple[Lang, ...] = ("en", "zh")
STAGES: tuple[Stage, ...] = get_args(Stage)
"""Of the learning path, in its order."""
MAX_SOURCE_BYTES = 64 * 1024
OWN_INPUT = "own_input"
"""The name of the only case of a judging on an input that the learner made."""


@dataclass(frozen=True)
class Text:
    """A sentence in both languages; `zh` falls back to English where it is missing."""

    en: str
    zh: str | None = None

    def __getitem__(self, lang: str) -> str:
        return self.zh if lang == "zh" and self.zh else self.en


@dataclass(frozen=True)
class ProblemLimits:
    """time_limit_s: wall seconds of the submission's work in one case; memory_mb: over what the fork started with."""

    time_limit_s: float = 2.0
    memory_mb: int = 256


@dataclass(frozen=True)
class Case:
    """One `test_*` function of tests.py. Its docstring is the title; `test_example*` are samples."""

    name: str
    title: Text
    sample: bool
    line: int


@dataclass(frozen=True)
class BankSubmission:
    """A file below `submissions/`: `expected` are the verdicts it may get, `sentence` tells what went wrong."""

    name: str
    path: Path
    source: bytes
    expected: tuple[Verdict, ...]
    sentence: Text

    @property
    def is_mistake(self) -> bool:
        return "AC" not in self.expected


@dataclass(frozen=True)
class Problem:
    """A problem folder. `names` are what a submission must define (the public names of starter.py)."""

    slug: str
    folder: Path
    title: Text
    difficulty: Difficulty
    tags: tuple[str, ...]
    order: int
    limits: ProblemLimits
    forbidden: tuple[str, ...]
    statement: Text
    explanation: Text
    starter: str
    names: tuple[str, ...]
    cases: tuple[Case, ...]
    submissions: tuple[BankSubmission, ...]
    digest: str
    """SHA-256 over the folder's files: changes when anything that can change a verdict changes."""
    stage: Stage | None = None
    builds_on: tuple[str, ...] = ()
    """Slugs of the problems to solve before this one."""
    explorer: str | None = None
    """An explorer and its state that show what the problem is about: `masks?kind=window&w=3`."""
    axes: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    """What the axes of an argument or of `result` are, such as ("batch", "head", "query", "feature"): see `AXES`."""

    def case(self, name: str) -> Case | None:
        return next((case for case in self.cases if case.name == name), None)

    def mistake(self, name: str) -> BankSubmission | None:
        return next((s for s in self.submissions if s.is_mistake and s.name == name), None)

    @property
    def samples(self) -> tuple[Case, ...]:
        return tuple(case for case in self.cases if case.sample)


Finding = dict[str, Any]
"""What is wrong, as data: `{"code": "shape", "got": [2, 3], "expected": [2, 4]}`. `judge.messages` puts it in words,
so that one stored judging reads in either language. Holds no expected value of a hidden case."""


@dataclass(frozen=True)
class CaseResult:
    """`verdict` is None for a case that was not run. `tensors` only for samples; output never for hidden cases."""

    name: str
    sample: bool
    verdict: Verdict | None
    time_ms: float = 0.0
    memory_kb: int = 0
    finding: Finding | None = None
    stdout: str = ""
    stderr: str = ""
    traceback: str = ""
    tensors: list[dict[str, Any]] | None = None


@dataclass(frozen=True)
class Smallest:
    """A small input on which a wrong answer shows, whole and as JSON: the learner checks it by hand.

    Tensors are `{"shape", "dtype", "cut", "values"}` as in `CaseResult.tensors`. Of no hidden case: it is drawn afresh.
    """

    call: str
    """`attention(q, k, v, mask)`"""
    inputs: dict[str, Any]
    """By name; for a module its weights too."""
    expected: Any
    got: Any
    """None where the call ended in an exception: `finding` has its text."""
    finding: Finding
    sizes: dict[str, int]
    how: dict[str, Any]
    """What is asked beyond a plain call: `dtype`, `gradients`, `layout`, `factor`, `mode`, `state`, `calls`."""
    code: str
    """Python that prints the result, to be put below the solution."""
    inside: dict[str, Any] | None = None
    """The stages of attention, and who reads whom: see `judge.feedback.inside`."""
    input: dict[str, Any] | None = None
    """For `judge.own_input`, where one call shows it."""
    contrast: Any = None
    """Where and by how much the two differ: see `judge.grading.contrast`."""


@dataclass(frozen=True)
class Explanation:
    """What is found out about a failure after its verdict: the known mistake's name, and a small failing input."""

    mistake: str | None = None
    smallest: Smallest | None = None


@dataclass(frozen=True)
class Report:
    """One grading. `finding` is set where no case could run (CE, JE); `diagnosis` names a known mistake (file stem)."""

    problem: str
    verdict: Verdict
    cases: tuple[CaseResult, ...]
    time_ms: float
    memory_kb: int
    sandbox: str
    seed: int
    source_sha256: str
    finding: Finding | None = None
    diagnosis: str | None = None
    smallest: Smallest | None = None
    samples_only: bool = False
    internal: str = field(default="", repr=False)
    """For the operator, never shown to a learner: why it is JE."""

    @property
    def first_failure(self) -> CaseResult | None:
        return next((c for c in self.cases if c.verdict not in (None, "AC")), None)
