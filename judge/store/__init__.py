"""All records and all SQL. No torch; the web app and the workers share it through the database only.

values     what it hands out            tables     the schema        statements   accept, claim, finish
engine     connection, pragmas          learners   submit, read, cancel
drafts     the editor's text, versions  work       claim, verdict, give back, changes
progress   solved, best times, days     accounts   names, roles, tokens; `names` and `passwords` have their rules
allowances limits against abuse        workers    who is there to grade
upkeep     judge again, prune, copy      answers  to the questions of quizzes
"""

from __future__ import annotations

from judge.store.accounts import AccountRecords
from judge.store.allowances import AllowanceRecords
from judge.store.answers import AnswerRecords
from judge.store.drafts import ANY_DRAFT, DraftRecords
from judge.store.learners import LearnerRecords
from judge.store.progress import ProgressRecords
from judge.store.statements import NEWS_CHANNEL, WAKE_CHANNEL
from judge.store.upkeep import Pruned, UpkeepRecords
from judge.store.values import (
    Account,
    Allowance,
    Answered,
    Change,
    Claim,
    Draft,
    DraftConflict,
    DraftReason,
    DraftVersion,
    Judging,
    LastAdministrator,
    NameTaken,
    Progress,
    QueueState,
    Role,
    StoreError,
    Submission,
    SubmissionView,
    Tally,
    Token,
    WorkerState,
)
from judge.store.work import LONGEST_LEASE_S, MAX_TRIES, WorkRecords
from judge.store.workers import WorkerRecords


class Store(
    LearnerRecords,
    DraftRecords,
    ProgressRecords,
    AccountRecords,
    AllowanceRecords,
    AnswerRecords,
    WorkRecords,
    WorkerRecords,
    UpkeepRecords,
):
    """The records of one database. `Store.open(url)` migrates it first; threads may share a store."""


__all__ = [
    "ANY_DRAFT", "LONGEST_LEASE_S", "MAX_TRIES", "NEWS_CHANNEL", "WAKE_CHANNEL", "Account", "Allowance", "Answered",
    "Change", "Claim", "Draft", "DraftConflict", "DraftReason", "DraftVersion", "Judging", "LastAdministrator",
    "NameTaken", "Progress", "Pruned", "QueueState", "Role", "Store", "StoreError", "Submission", "SubmissionView",
    "Tally", "Token", "WorkerState",
]  # fmt: skip
