"""An input of the learner's own, with a submission that is judged on it alone."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("submission") as batch_op:
        batch_op.add_column(sa.Column("input", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("submission") as batch_op:
        batch_op.drop_column("input")
