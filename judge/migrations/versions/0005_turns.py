"""Who is judged next: priority and turn of a judging."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

INDEX = "ix_judging_status_priority_turn_id"


def upgrade() -> None:
    with op.batch_alter_table("judging") as batch_op:
        batch_op.add_column(sa.Column("priority", sa.Integer(), nullable=False, server_default="0"))
        batch_op.add_column(sa.Column("turn", sa.BigInteger(), nullable=False, server_default="0"))
        batch_op.create_index(INDEX, ["status", "priority", "turn", "id"])


def downgrade() -> None:
    with op.batch_alter_table("judging") as batch_op:
        batch_op.drop_index(INDEX)
        batch_op.drop_column("turn")
        batch_op.drop_column("priority")
