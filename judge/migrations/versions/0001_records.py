"""Submissions, judgings with their cases, drafts, and the version counter with its one row."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "draft",
        sa.Column("learner", sa.String(length=64), nullable=False),
        sa.Column("problem", sa.String(length=64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("etag", sa.String(length=64), nullable=False),
        sa.Column("saved_at", sa.Float(precision=53), nullable=False),
        sa.PrimaryKeyConstraint("learner", "problem", name=op.f("pk_draft")),
    )
    op.create_table(
        "submission",
        sa.Column("id", ID, nullable=False),
        sa.Column("learner", sa.String(length=64), nullable=False),
        sa.Column("problem", sa.String(length=64), nullable=False),
        sa.Column("source", sa.LargeBinary(), nullable=False),
        sa.Column("source_sha256", sa.String(length=64), nullable=False),
        sa.Column("samples_only", sa.Boolean(), nullable=False),
        sa.Column("client_id", sa.String(length=64), nullable=True),
        sa.Column("created_at", sa.Float(precision=53), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submission")),
        sa.UniqueConstraint("learner", "client_id", name=op.f("uq_submission_learner_client_id")),
    )
    with op.batch_alter_table("submission") as batch_op:
        batch_op.create_index(
            batch_op.f("ix_submission_learner_problem_id"), ["learner", "problem", "id"], unique=False
        )

    op.create_table(
        "tick",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tick")),
    )
    op.create_table(
        "judging",
        sa.Column("id", ID, nullable=False),
        sa.Column("submission_id", ID, nullable=False),
        sa.Column("status", sa.String(length=9), nullable=False),
        sa.Column("verdict", sa.String(length=3), nullable=True),
        sa.Column("seed", sa.BigInteger(), nullable=True),
        sa.Column("sandbox", sa.String(length=32), nullable=False),
        sa.Column("time_ms", sa.Float(precision=53), nullable=False),
        sa.Column("memory_kb", sa.BigInteger(), nullable=False),
        sa.Column("finding", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("diagnosis", sa.String(length=128), nullable=True),
        sa.Column("diagnosing", sa.Boolean(), nullable=False),
        sa.Column("internal", sa.Text(), nullable=False),
        sa.Column("problem_digest", sa.String(length=64), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("lease_until", sa.Float(precision=53), nullable=True),
        sa.Column("worker", sa.String(length=128), nullable=True),
        sa.Column("created_at", sa.Float(precision=53), nullable=False),
        sa.Column("started_at", sa.Float(precision=53), nullable=True),
        sa.Column("finished_at", sa.Float(precision=53), nullable=True),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("(status = 'done') = (verdict IS NOT NULL)", name=op.f("ck_judging_verdict_when_done")),
        sa.CheckConstraint("status IN ('queued', 'running', 'done', 'cancelled')", name=op.f("ck_judging_status")),
        sa.ForeignKeyConstraint(["submission_id"], ["submission.id"], name=op.f("fk_judging_submission_id_submission")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judging")),
    )
    with op.batch_alter_table("judging") as batch_op:
        batch_op.create_index(batch_op.f("ix_judging_status_id"), ["status", "id"], unique=False)
        batch_op.create_index(batch_op.f("ix_judging_submission_id_id"), ["submission_id", "id"], unique=False)
        batch_op.create_index(batch_op.f("ix_judging_version"), ["version"], unique=False)

    op.create_table(
        "case_result",
        sa.Column("judging_id", ID, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("sample", sa.Boolean(), nullable=False),
        sa.Column("verdict", sa.String(length=3), nullable=True),
        sa.Column("time_ms", sa.Float(precision=53), nullable=False),
        sa.Column("memory_kb", sa.BigInteger(), nullable=False),
        sa.Column("finding", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("stdout", sa.Text(), nullable=False),
        sa.Column("stderr", sa.Text(), nullable=False),
        sa.Column("traceback", sa.Text(), nullable=False),
        sa.Column("tensors", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["judging_id"], ["judging.id"], name=op.f("fk_case_result_judging_id_judging"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("judging_id", "position", name=op.f("pk_case_result")),
    )
    op.execute("INSERT INTO tick (id, value) VALUES (1, 0)")


def downgrade() -> None:
    op.drop_table("case_result")
    with op.batch_alter_table("judging") as batch_op:
        batch_op.drop_index(batch_op.f("ix_judging_version"))
        batch_op.drop_index(batch_op.f("ix_judging_submission_id_id"))
        batch_op.drop_index(batch_op.f("ix_judging_status_id"))

    op.drop_table("judging")
    op.drop_table("tick")
    with op.batch_alter_table("submission") as batch_op:
        batch_op.drop_index(batch_op.f("ix_submission_learner_problem_id"))

    op.drop_table("submission")
    op.drop_table("draft")
