"""Alembic, run from the program: users need no alembic.ini.

versions/   one file a change, `NNNN_what.py`; a new one also changes HEAD
New change: edit `judge/store/tables.py`, then `python -m judge.migrations "what changes"` writes the file to review.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import Connection

HEAD = "0008"


def upgrade(connection: Connection, revision: str = HEAD) -> None:
    """Runs the missing migrations inside the caller's transaction. Raises StoreError for an unknown, newer schema."""
    from alembic import command
    from alembic.util import CommandError

    from judge.store.values import StoreError

    try:
        command.upgrade(config(connection), revision)
    except CommandError as error:
        raise StoreError(f"the database was made by another version of the judge: {error}") from None


def config(connection: Connection) -> Config:
    """The configuration that alembic.ini would hold."""
    from alembic.config import Config

    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    settings.set_main_option("path_separator", "os")
    settings.attributes["connection"] = connection
    return settings
