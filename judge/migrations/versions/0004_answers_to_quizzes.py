"""Answers to the questions of quizzes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "answer",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("learner", sa.String(length=64), nullable=False),
        sa.Column("quiz", sa.String(length=64), nullable=False),
        sa.Column("question", sa.String(length=64), nullable=False),
        sa.Column("text", sa.String(length=255), nullable=True),
        sa.Column("correct", sa.Boolean(), nullable=False),
        sa.Column("answered_at", sa.Float(precision=53), nullable=False),
        sa.CheckConstraint("text IS NOT NULL OR NOT correct", name=op.f("ck_answer_revealed_is_not_correct")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_answer")),
    )
    with op.batch_alter_table("answer") as batch_op:
        batch_op.create_index(batch_op.f("ix_answer_learner_quiz_id"), ["learner", "quiz", "id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("answer") as batch_op:
        batch_op.drop_index(batch_op.f("ix_answer_learner_quiz_id"))

    op.drop_table("answer")
