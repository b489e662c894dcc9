"""What Alembic runs. The connection, inside a transaction, comes from `judge.migrations.config`."""

from __future__ import annotations

from alembic import context

from judge.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite cannot alter columns in place
    compare_type=True,
)
context.run_migrations()
