"""The connection to the database: pragmas, transactions, migrations.

SQLite   WAL, foreign keys, busy timeout; writers BEGIN IMMEDIATE: a deferred transaction that reads first and then
         writes fails at once with "locked" when another wrote meanwhile, whatever the busy timeout
other    by URL (PostgreSQL), with the database's own transactions; each read is a statement of its own, since a
         ROLLBACK after it would also throw the prepared statements away
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from sqlalchemy import ColumnElement, Connection, Double, Engine, bindparam, cast, create_engine, event, func, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, InvalidatePoolError, NoSuchModuleError

from judge.migrations import HEAD
from judge.store.values import StoreError

BUSY_MS = 10_000
PING_AFTER_S = 0.2
"""A connection that was not used for longer is tried first: a server that died takes longer to come back."""

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
            # the last one used is taken first, so that few are in use; those over pool_size are not kept, and cost most
            options: dict[str, Any] = {"pool_size": 16, "max_overflow": 16, "pool_use_lifo": True}
            if self.sqlite:
                Path(str(parsed.database)).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                # isolation_level None: the driver begins nothing by itself, `_begin` does
                options["connect_args"] = {
                    "isolation_level": None,
                    "check_same_thread": False,
                    "timeout": BUSY_MS / 1000,
                }
            self.engine: Engine = create_engine(parsed, **options)
        except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
            raise StoreError(f"{shown!r} is no database URL that can be used here: {error}") from None
        except OSError as error:
            raise StoreError(f"the folder of the database cannot be made: {error}") from None
        self.writing = threading.Lock()
        if self.sqlite:
            event.listen(self.engine, "connect", _connected)
            event.listen(self.engine, "begin", _begin)
            self._reading = self.engine
        else:
            # a pool of its own: switching a connection to and fro would cost more than most of what is asked; both
            # together stay below the 100 connections that PostgreSQL allows
            self._reading = create_engine(parsed, isolation_level="AUTOCOMMIT", pool_reset_on_return=None, **options)
            for engine in (self.engine, self._reading):
                event.listen(engine, "connect", _used)
                event.listen(engine, "checkin", _used)
                event.listen(engine, "checkout", self._try)

    @classmethod
    def open(cls, url: str) -> Self:
        """The store, migrated to the newest schema. Raises StoreError."""
        store = cls(url)
        store.migrate()
        return store

    def close(self) -> None:
        """Closes the pooled connections."""
        self.engine.dispose()
        self._reading.dispose()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection for queries. Only on SQLite several of them see one state of the database."""
        with self._reading.connect() as connection:
            yield connection

    @contextmanager
    def write(self, *, durable: bool = True) -> Iterator[Connection]:
        """A transaction, committed at the end. Not `durable`: a power cut may undo it, a killed process does not."""
        if not self.sqlite:
            with self.engine.begin() as connection:
                if not durable:
                    connection.exec_driver_sql("SET LOCAL synchronous_commit TO OFF")
                yield connection
            return
        # threads of one process queue up here: SQLite's own waiting is by naps of up to 100 ms
        with self.writing, self.engine.connect() as connection:
            connection = connection.execution_options(writes="FULL" if durable else "NORMAL")
            with connection.begin():
                yield connection

    @contextmanager
    def step(self, *, durable: bool = True) -> Iterator[Connection]:
        """For one of `statements`: a transaction, where it is a single statement that is one by itself."""
        with self.write(durable=durable) if self.sqlite else self.read() as connection:
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
        return NOW[self.engine.dialect.name]

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

    def _try(self, connection: Any, record: Any, proxy: object) -> None:
        """Of a pooled connection: does the server still answer? Else all that are as old are made anew."""
        if time.monotonic() - record.info["used"] > PING_AFTER_S:
            try:
                self.engine.dialect.do_ping(connection)
            except self.engine.dialect.loaded_dbapi.Error as error:
                raise InvalidatePoolError from error

    def _revision(self) -> str | None:
        with self.read() as connection:
            if not self.engine.dialect.has_table(connection, "alembic_version"):
                return None
            revision: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
            return revision


NOW: dict[str, ColumnElement[float]] = {
    "sqlite": bindparam("now", type_=Double, callable_=lambda: time.time()),
    "postgresql": cast(func.extract("epoch", func.clock_timestamp()), Double),
}


def storable(text: str) -> str:
    """Submissions print anything; databases take neither lone surrogates nor (PostgreSQL) NUL."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\N{SYMBOL FOR NULL}")


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


def _used(connection: object, record: Any) -> None:
    record.info["used"] = time.monotonic()


def _begin(connection: Connection) -> None:
    synchronous = connection.get_execution_options().get("writes")
    if synchronous is None:
        connection.exec_driver_sql("BEGIN")
        return
    connection.exec_driver_sql(f"PRAGMA synchronous={synchronous}")
    connection.exec_driver_sql("BEGIN IMMEDIATE")
