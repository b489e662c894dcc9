"""The tables. A judging row is the truth about a grading; the queue is the rows with status queued.

submission 1 ── n judging 1 ── n case_result      tick (1: the newest `version`, 2: workers started)
draft, draft_version, reveal      by learner and problem
answer                            to a question of a quiz; without text: the right one was shown
account                           owns one learner id; without an account a learner is only that id
token                             of a learner          allowance (how often a key was used in its window)

Every change here needs a migration (`judge/migrations`); a test compares the two.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)
# BIGINT PRIMARY KEY is no alias of SQLite's rowid and would not count up
Id = BigInteger().with_variant(Integer, "sqlite")
Data = JSON(none_as_null=True)

submission = Table(
    "submission",
    metadata,
    Column("id", Id, primary_key=True),
    Column("learner", String(64), nullable=False),
    Column("problem", String(64), nullable=False),
    Column("source", LargeBinary, nullable=False),
    Column("source_sha256", String(64), nullable=False),
    Column("samples_only", Boolean, nullable=False),
    Column("client_id", String(64)),
    Column("input", Data),
    Column("created_at", Float(53), nullable=False),
    UniqueConstraint("learner", "client_id"),
    Index(None, "learner", "problem", "id"),
    Index(None, "learner", "id"),
)

judging = Table(
    "judging",
    metadata,
    Column("id", Id, primary_key=True),
    Column("submission_id", Id, ForeignKey("submission.id"), nullable=False),
    Column("status", String(9), nullable=False),
    Column("priority", Integer, nullable=False, server_default="0"),
    Column("turn", BigInteger, nullable=False, server_default="0"),
    Column("verdict", String(3)),
    Column("seed", BigInteger),
    Column("sandbox", String(32), nullable=False),
    Column("time_ms", Float(53), nullable=False),
    Column("memory_kb", BigInteger, nullable=False),
    Column("finding", Data),
    Column("diagnosis", String(128)),
    Column("diagnosing", Boolean, nullable=False),
    Column("smallest", Data),
    Column("internal", Text, nullable=False),
    Column("problem_digest", String(64), nullable=False),
    Column("tries", Integer, nullable=False),
    Column("fence", Integer, nullable=False),
    Column("lease_until", Float(53)),
    Column("worker", String(128)),
    Column("created_at", Float(53), nullable=False),
    Column("started_at", Float(53)),
    Column("finished_at", Float(53)),
    Column("version", BigInteger, nullable=False),
    CheckConstraint("status IN ('queued', 'running', 'done', 'cancelled')", name="status"),
    CheckConstraint("(status = 'done') = (verdict IS NOT NULL)", name="verdict_when_done"),
    Index(None, "submission_id", "id"),
    Index(None, "status", "id"),
    Index(None, "status", "priority", "turn", "id"),
    Index(None, "version"),
)

case_result = Table(
    "case_result",
    metadata,
    Column("judging_id", Id, ForeignKey("judging.id", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("name", String(200), nullable=False),
    Column("sample", Boolean, nullable=False),
    Column("verdict", String(3)),
    Column("time_ms", Float(53), nullable=False),
    Column("memory_kb", BigInteger, nullable=False),
    Column("finding", Data),
    Column("stdout", Text, nullable=False),
    Column("stderr", Text, nullable=False),
    Column("traceback", Text, nullable=False),
    Column("tensors", Data),
)

draft = Table(
    "draft",
    metadata,
    Column("learner", String(64), primary_key=True),
    Column("problem", String(64), primary_key=True),
    Column("text", Text, nullable=False),
    Column("etag", String(64), nullable=False),
    Column("saved_at", Float(53), nullable=False),
)

draft_version = Table(
    "draft_version",
    metadata,
    Column("id", Id, primary_key=True),
    Column("learner", String(64), nullable=False),
    Column("problem", String(64), nullable=False),
    Column("text", Text, nullable=False),
    Column("bytes", Integer, nullable=False),
    Column("reason", String(8), nullable=False),
    Column("begun_at", Float(53), nullable=False),
    Column("saved_at", Float(53), nullable=False),
    Index(None, "learner", "problem", "id"),
)

reveal = Table(
    "reveal",
    metadata,
    Column("learner", String(64), primary_key=True),
    Column("problem", String(64), primary_key=True),
    Column("revealed_at", Float(53), nullable=False),
)

account = Table(
    "account",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", String(64), nullable=False),
    Column("name_key", String(128), nullable=False),
    Column("password_hash", String(255), nullable=False),
    Column("role", String(13), nullable=False),
    Column("learner", String(64), nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("disabled", Boolean, nullable=False),
    Column("created_at", Float(53), nullable=False),
    CheckConstraint("role IN ('learner', 'instructor', 'administrator')", name="role"),
    UniqueConstraint("name_key"),
    UniqueConstraint("learner"),
)

token = Table(
    "token",
    metadata,
    Column("id", Id, primary_key=True),
    Column("learner", String(64), nullable=False),
    Column("name", String(64), nullable=False),
    Column("secret_sha256", String(64), nullable=False),
    Column("created_at", Float(53), nullable=False),
    Column("last_used_at", Float(53)),
    Column("revoked_at", Float(53)),
    UniqueConstraint("secret_sha256"),
    Index(None, "learner"),
)

allowance = Table(
    "allowance",
    metadata,
    Column("key", String(255), primary_key=True),
    Column("count", Integer, nullable=False),
    Column("ends_at", Float(53), nullable=False),
    Index(None, "ends_at"),
)

answer = Table(
    "answer",
    metadata,
    Column("id", Id, primary_key=True),
    Column("learner", String(64), nullable=False),
    Column("quiz", String(64), nullable=False),
    Column("question", String(64), nullable=False),
    Column("text", String(255)),
    Column("correct", Boolean, nullable=False),
    Column("answered_at", Float(53), nullable=False),
    CheckConstraint("text IS NOT NULL OR NOT correct", name="revealed_is_not_correct"),
    Index(None, "learner", "quiz", "id"),
)

tick = Table(
    "tick",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("value", BigInteger, nullable=False),
)

worker = Table(
    "worker",
    metadata,
    Column("name", String(128), primary_key=True),
    Column("sandbox", String(32), nullable=False),
    Column("started_at", Float(53), nullable=False),
    Column("seen_at", Float(53), nullable=False),
    Column("draining", Boolean, nullable=False),
)

tally = Table(
    "tally",
    metadata,
    Column("problem", String(64), primary_key=True),
    Column("verdict", String(3), primary_key=True),
    Column("judgings", BigInteger, nullable=False),
    Column("time_ms", Float(53), nullable=False),
    Column("wait_s", Float(53), nullable=False),
)
