"""How many judgings are done, by problem and verdict, filled from those there are; how many workers ever started."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tally",
        sa.Column("problem", sa.String(length=64), nullable=False),
        sa.Column("verdict", sa.String(length=3), nullable=False),
        sa.Column("judgings", sa.BigInteger(), nullable=False),
        sa.Column("time_ms", sa.Float(precision=53), nullable=False),
        sa.Column("wait_s", sa.Float(precision=53), nullable=False),
        sa.PrimaryKeyConstraint("problem", "verdict", name=op.f("pk_tally")),
    )
    op.execute(
        "INSERT INTO tally (problem, verdict, judgings, time_ms, wait_s) "
        "SELECT s.problem, j.verdict, count(*), sum(j.time_ms), "
        "sum(coalesce(j.started_at, j.created_at) - j.created_at) "
        "FROM judging j JOIN submission s ON s.id = j.submission_id WHERE j.verdict IS NOT NULL "
        "GROUP BY s.problem, j.verdict"
    )
    op.execute("INSERT INTO tick (id, value) VALUES (2, 0)")


def downgrade() -> None:
    op.execute("DELETE FROM tick WHERE id = 2")
    op.drop_table("tally")
