"""The workers that are there."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "worker",
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.Column("sandbox", sa.String(length=32), nullable=False),
        sa.Column("started_at", sa.Float(precision=53), nullable=False),
        sa.Column("seen_at", sa.Float(precision=53), nullable=False),
        sa.Column("draining", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_worker")),
    )


def downgrade() -> None:
    op.drop_table("worker")
