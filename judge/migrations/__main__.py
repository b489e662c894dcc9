"""Writes the next migration from what changed in the tables: `python -m judge.migrations "add accounts"`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from alembic import command

from judge.migrations import HEAD, config, upgrade
from judge.store.engine import Database

if len(sys.argv) != 2:
    sys.exit(__doc__)
with tempfile.TemporaryDirectory() as folder:
    database = Database(f"sqlite:///{Path(folder) / 'empty.db'}")
    with database.write() as connection:
        upgrade(connection)
        command.revision(config(connection), sys.argv[1], autogenerate=True, rev_id=f"{int(HEAD) + 1:04d}")
    database.close()
