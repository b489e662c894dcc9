"""The smallest failing input of a judging."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("judging") as batch_op:
        batch_op.add_column(sa.Column("smallest", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("judging") as batch_op:
        batch_op.drop_column("smallest")
