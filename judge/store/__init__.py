"""All records and all SQL. No torch; the web app and the workers share it through the database only.

values     what it hands out            tables     the schema
engine     connection, pragmas          learners   submit, read, cancel, drafts
                                        work       claim, verdict, give back, changes
"""

from __future__ import annotations

from judge.store.learners import ANY_DRAFT, LearnerRecords
from judge.store.values import (
    Change,
    Claim,
    Draft,
    DraftConflict,
    Judging,
    QueueState,
    StoreError,
    Submission,
    SubmissionView,
)
from judge.store.work import MAX_TRIES, WorkRecords


class Store(LearnerRecords, WorkRecords):
    """The records of one database. `Store.open(url)` migrates it first; threads may share a store."""


__all__ = [
    "ANY_DRAFT", "MAX_TRIES", "Change", "Claim", "Draft", "DraftConflict", "Judging", "QueueState", "Store",
    "StoreError", "Submission", "SubmissionView",
]  # fmt: skip
