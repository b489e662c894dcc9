"""Accounts and tokens, versions of drafts, revealed solutions, allowances; an index for a learner's history."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("name_key", sa.String(length=128), nullable=False),
        sa.Column("password_hash", sa.String(length=255), nullable=False),
        sa.Column("role", sa.String(length=13), nullable=False),
        sa.Column("learner", sa.String(length=64), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("disabled", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.Float(precision=53), nullable=False),
        sa.CheckConstraint("role IN ('learner', 'instructor', 'administrator')", name=op.f("ck_account_role")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("learner", name=op.f("uq_account_learner")),
        sa.UniqueConstraint("name_key", name=op.f("uq_account_name_key")),
    )
    op.create_table(
        "allowance",
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("ends_at", sa.Float(precision=53), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_allowance")),
    )
    with op.batch_alter_table("allowance") as batch_op:
        batch_op.create_index(batch_op.f("ix_allowance_ends_at"), ["ends_at"], unique=False)

    op.create_table(
        "draft_version",
        sa.Column("id", ID, nullable=False),
        sa.Column("learner", sa.String(length=64), nullable=False),
        sa.Column("problem", sa.String(length=64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("bytes", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(length=8), nullable=False),
        sa.Column("begun_at", sa.Float(precision=53), nullable=False),
        sa.Column("saved_at", sa.Float(precision=53), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_draft_version")),
    )
    with op.batch_alter_table("draft_version") as batch_op:
        batch_op.create_index(
            batch_op.f("ix_draft_version_learner_problem_id"), ["learner", "problem", "id"], unique=False
        )

    op.create_table(
        "reveal",
        sa.Column("learner", sa.String(length=64), nullable=False),
        sa.Column("problem", sa.String(length=64), nullable=False),
        sa.Column("revealed_at", sa.Float(precision=53), nullable=False),
        sa.PrimaryKeyConstraint("learner", "problem", name=op.f("pk_reveal")),
    )
    op.create_table(
        "token",
        sa.Column("id", ID, nullable=False),
        sa.Column("learner", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("secret_sha256", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.Float(precision=53), nullable=False),
        sa.Column("last_used_at", sa.Float(precision=53), nullable=True),
        sa.Column("revoked_at", sa.Float(precision=53), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_token")),
        sa.UniqueConstraint("secret_sha256", name=op.f("uq_token_secret_sha256")),
    )
    with op.batch_alter_table("token") as batch_op:
        batch_op.create_index(batch_op.f("ix_token_learner"), ["learner"], unique=False)

    with op.batch_alter_table("submission") as batch_op:
        batch_op.create_index(batch_op.f("ix_submission_learner_id"), ["learner", "id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("submission") as batch_op:
        batch_op.drop_index(batch_op.f("ix_submission_learner_id"))

    with op.batch_alter_table("token") as batch_op:
        batch_op.drop_index(batch_op.f("ix_token_learner"))

    op.drop_table("token")
    op.drop_table("reveal")
    with op.batch_alter_table("draft_version") as batch_op:
        batch_op.drop_index(batch_op.f("ix_draft_version_learner_problem_id"))

    op.drop_table("draft_version")
    with op.batch_alter_table("allowance") as batch_op:
        batch_op.drop_index(batch_op.f("ix_allowance_ends_at"))

    op.drop_table("allowance")
    op.drop_table("account")
