"""What the store hands out: frozen values, cut loose from the database.

Submission       a learner's source for one problem          Judging   one grading of it (a rejudge adds another)
SubmissionView   a submission, its newest judging, its cases  Claim     a worker's right to grade one judging
Draft            unsent text of the editor                    Change    what the watcher thread is told
DraftVersion     a text the editor once had                   Progress  how far a learner is with one problem
Account          a name that can sign in, and its role        Token     what `judge submit` shows instead
WorkerState      a worker that is there
Answered         how far a learner is with one question of a quiz
Times are Unix seconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from judge.model import CaseResult, Finding, Report, Smallest, Status, Verdict

Role = Literal["learner", "instructor", "administrator"]
DraftReason = Literal["typed", "reset", "restored", "uploaded", "conflict", "merged"]
"""Why a text was kept. "conflict": it lost against a text saved elsewhere; "merged": it came from before a sign-in."""


@dataclass(frozen=True)
class Submission:
    """`samples_only`: a run of the sample cases, or of an `input` of the learner's own; it never counts as solved."""

    id: int
    learner: str
    problem: str
    source: bytes = field(repr=False)
    source_sha256: str
    samples_only: bool
    client_id: str | None
    created_at: float
    input: dict[str, Any] | None = None


@dataclass(frozen=True)
class Judging:
    """One grading. `verdict` is set exactly when `status` is done.

    `diagnosing`: the verdict is final, and a worker still looks for a known mistake and a small failing input.
    `version` grows with every change of any judging; see `Store.changes`.
    """

    id: int
    submission_id: int
    status: Status
    verdict: Verdict | None
    seed: int | None
    sandbox: str
    time_ms: float
    memory_kb: int
    finding: Finding | None
    diagnosis: str | None
    diagnosing: bool
    smallest: dict[str, Any] | None
    problem_digest: str
    tries: int
    created_at: float
    started_at: float | None
    finished_at: float | None
    version: int
    internal: str = field(repr=False)
    """For the operator, never shown to a learner."""


@dataclass(frozen=True)
class SubmissionView:
    """`cases` are those graded so far; empty in lists (`Store.submissions` does not load them)."""

    submission: Submission
    judging: Judging
    cases: tuple[CaseResult, ...] = ()

    @property
    def report(self) -> Report | None:
        """The grading as the grader gave it, for `judge.messages.report_json`; None until it is done."""
        judging = self.judging
        if judging.verdict is None or judging.seed is None:
            return None
        return Report(
            problem=self.submission.problem,
            verdict=judging.verdict,
            cases=self.cases,
            time_ms=judging.time_ms,
            memory_kb=judging.memory_kb,
            sandbox=judging.sandbox,
            seed=judging.seed,
            source_sha256=self.submission.source_sha256,
            finding=judging.finding,
            diagnosis=judging.diagnosis,
            smallest=Smallest(**judging.smallest) if judging.smallest else None,
            samples_only=self.submission.samples_only,
            internal=judging.internal,
        )


@dataclass(frozen=True)
class Claim:
    """`fence` was raised by this claim: a later claim of the same judging makes all writes of this one void."""

    judging_id: int
    submission_id: int
    fence: int
    tries: int
    worker: str
    problem: str
    source: bytes = field(repr=False)
    samples_only: bool
    seed: int | None
    input: dict[str, Any] | None = None


@dataclass(frozen=True)
class Change:
    """A judging that changed, at `version`."""

    version: int
    judging_id: int
    submission_id: int
    learner: str
    problem: str
    status: Status
    diagnosing: bool


@dataclass(frozen=True)
class Draft:
    """`etag` is made from the text: equal texts have equal tags. Not quoted."""

    learner: str
    problem: str
    text: str
    etag: str
    saved_at: float


@dataclass(frozen=True)
class DraftVersion:
    """A text that the draft once had; `LearnerRecords.version_text` brings the text itself."""

    id: int
    problem: str
    saved_at: float
    bytes: int
    reason: DraftReason


@dataclass(frozen=True)
class Progress:
    """`best_ms`: the fastest accepted whole submission; `attempts`: whole submissions, whatever became of them."""

    state: Literal["solved", "tried"]
    attempts: int
    solved_at: float | None
    best_ms: float | None
    last_at: float
    revealed_at: float | None = None


@dataclass(frozen=True)
class Account:
    """`learner` owns the work. `epoch` rises when all its sessions are to end."""

    id: int
    name: str
    role: Role
    learner: str
    epoch: int
    disabled: bool
    created_at: float


@dataclass(frozen=True)
class Token:
    """`secret` itself is only known when it is made; the database has its hash."""

    id: int
    learner: str
    name: str
    created_at: float
    last_used_at: float | None
    revoked_at: float | None


@dataclass(frozen=True)
class Allowance:
    """`limit` uses of `key` within `window_s` seconds, counted from the first."""

    key: str
    limit: int
    window_s: float


@dataclass(frozen=True)
class QueueState:
    """For /readyz, /metrics and estimates. `mean_s`: seconds a grading took lately, None before the first."""

    queued: int
    running: int
    oldest_s: float
    mean_s: float | None


class StoreError(Exception):
    """The database cannot be used; the message says why and what to do."""


class NameTaken(Exception):
    """An account of this name exists."""


class LastAdministrator(Exception):
    """It would leave the judge without an administrator."""


class DraftConflict(Exception):
    """The stored draft is not the one the learner edited; `current` is what is stored (None: nothing)."""

    def __init__(self, current: Draft | None) -> None:
        self.current = current
        super().__init__("the draft was changed elsewhere")


@dataclass(frozen=True)
class Answered:
    """`text` is the newest answer, or the one that was right; None when the right one was shown before that."""

    text: str | None
    correct: bool
    tries: int
    answered_at: float

    @property
    def revealed(self) -> bool:
        return self.text is None

    @property
    def settled(self) -> bool:
        """Further answers change nothing."""
        return self.correct or self.revealed


@dataclass(frozen=True)
class WorkerState:
    """`name` is host/pid/birth. `draining`: it was asked to stop after what it grades."""

    name: str
    sandbox: str
    started_at: float
    seen_at: float
    draining: bool


@dataclass(frozen=True)
class Tally:
    """Judgings of a problem that ended in a verdict: how many, their time, and how long they waited."""

    problem: str
    verdict: Verdict
    judgings: int
    time_ms: float
    wait_s: float
