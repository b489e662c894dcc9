"""The connection to the database: pragmas, transactions, migrations.

SQLite   WAL, foreign keys, busy timeout; writers BEGIN IMMEDIATE: a deferred transaction that reads first and then
         writes fails at once with "locked" when another wrote meanwhile, whatever the busy timeout
other    by URL (PostgreSQL), with the database's own transactions
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from sqlalchemy import ColumnElement, Connection, Double, Engine, cast, create_engine, event, func, literal, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from judge.migrations import HEAD
from judge.store.values import StoreError

BUSY_MS = 10_000

_migrating = threading.Lock()  # Alembic keeps its state in the module


class Database:
    """An engine. Threads may share it; a process that forks must not."""

    def __init__(self, url: str) -> None:
        shown = url
        try:
            parsed = make_url(url)
            shown = parsed.render_as_string(hide_password=True)
            self.sqlite = parsed.get_backend_name() == "sqlite"
            if self.sqlite and parsed.database in (None, "", ":memory:"):
                raise StoreError("the database must be a file: worker processes share it")
            options: dict[str, Any] = {"pool_size": 8, "max_overflow": 64}
            if self.sqlite:
                Path(str(parsed.database)).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                # isolation_level None: the driver begins nothing by itself, `_begin` does
                options["connect_args"] = {
                    "isolation_level": None,
                    "check_same_thread": False,
                    "timeout": BUSY_MS / 1000,
                }
            else:
                options["pool_pre_ping"] = True
            self.engine: Engine = create_engine(parsed, **options)
        except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
            raise StoreError(f"{shown!r} is no database URL that can be used here: {error}") from None
        except OSError as error:
            raise StoreError(f"the folder of the database cannot be made: {error}") from None
        self.writing = threading.Lock()
        if self.sqlite:
            event.listen(self.engine, "connect", _connected)
            event.listen(self.engine, "begin", _begin)

    @classmethod
    def open(cls, url: str) -> Self:
        """The store, migrated to the newest schema. Raises StoreError."""
        store = cls(url)
        store.migrate()
        return store

    def close(self) -> None:
        """Closes the pooled connections."""
        self.engine.dispose()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees one state of the database throughout."""
        with self.engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self, *, durable: bool = True) -> Iterator[Connection]:
        """A transaction, committed at the end. Not `durable`: a power cut may undo it, a killed process does not."""
        if not self.sqlite:
            with self.engine.begin() as connection:
                if not durable:
                    connection.execute(text("SET LOCAL synchronous_commit TO OFF"))
                yield connection
            return
        # threads of one process queue up here: SQLite's own waiting is by naps of up to 100 ms
        with self.writing, self.engine.connect() as connection:
            connection = connection.execution_options(writes="FULL" if durable else "NORMAL")
            with connection.begin():
                yield connection

    @contextmanager
    def notices(self, channel: str) -> Iterator[Any]:
        """A psycopg connection of its own that listens on `channel`. PostgreSQL only."""
        raw = self.engine.raw_connection()
        connection: Any = raw.driver_connection  # asked before `detach`, which forgets it
        raw.detach()
        try:
            connection.rollback()
            connection.autocommit = True
            connection.execute(f"LISTEN {channel}")
            yield connection
        finally:
            raw.close()

    def now(self) -> ColumnElement[float]:
        """Unix seconds by the one clock that all who share the database can go by, as part of a statement."""
        return literal(time.time()) if self.sqlite else cast(func.extract("epoch", func.clock_timestamp()), Double)

    def migrate(self) -> None:
        """Brings the schema to `judge.migrations.HEAD`; several processes may do so at once. Raises StoreError."""
        try:
            if self._revision() == HEAD:
                return
            from judge.migrations import upgrade  # Alembic takes 0.2 s to import

            with _migrating, self.write() as connection:
                if not self.sqlite:
                    connection.execute(text("SELECT pg_advisory_xact_lock(7241)"))
                upgrade(connection)
        except DBAPIError as error:
            shown = self.engine.url.render_as_string(hide_password=True)
            raise StoreError(f"the database {shown} cannot be opened: {error.orig}") from None

    def _revision(self) -> str | None:
        with self.read() as connection:
            if not self.engine.dialect.has_table(connection, "alembic_version"):
                return None
            revision: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
            return revision


def notify(connection: Connection, channel: str) -> None:
    """Tells who listens on `channel`, when this transaction commits. Only PostgreSQL can."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_notify(:channel, '')"), {"channel": channel})


def _connected(connection: Any, record: object) -> None:
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={BUSY_MS}")  # first: the switch to WAL needs the lock
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.close()


def _begin(connection: Connection) -> None:
    synchronous = connection.get_execution_options().get("writes")
    if synchronous is None:
        connection.exec_driver_sql("BEGIN")
        return
    connection.exec_driver_sql(f"PRAGMA synchronous={synchronous}")
    connection.exec_driver_sql("BEGIN IMMEDIATE")
