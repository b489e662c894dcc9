"""Rules of the database itself: migrations, SQLite's pragmas and locks, URLs that cannot be used."""

from __future__ import annotations

import multiprocessing
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from judge.migrations import HEAD, config
from judge.store import Store, StoreError
from judge.store.tables import metadata
from tests.records import open_store, submit, together


@pytest.fixture
def sqlite_store(tmp_path: Path) -> Store:
    return open_store(tmp_path)


def test_migrations_make_the_tables(store: Store) -> None:
    with store.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        assert ScriptDirectory.from_config(config(connection)).get_current_head() == HEAD


def test_many_may_migrate_at_once(empty_database: Callable[[Path], str], tmp_path: Path) -> None:
    (tmp_path / "threads").mkdir()
    for_processes, for_threads = empty_database(tmp_path), empty_database(tmp_path / "threads")
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        pool.map(_open_and_close, [for_processes] * 6)
    together([lambda: _open_and_close(for_threads)] * 4)
    assert submit(Store.open(for_processes)).id == 1


def test_newer_database_is_refused(store: Store) -> None:
    with store.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match="another version"):
        Store.open(str(store.engine.url))


@pytest.mark.parametrize("url", ["sqlite://", "nonsense", "oracle+nothing://x"])
def test_unusable_url_is_refused(url: str) -> None:
    with pytest.raises(StoreError):
        Store(url)


@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("foreign_keys", 1), ("synchronous", 2), ("busy_timeout", 10_000)]
)
def test_pragmas_hold_on_every_connection(sqlite_store: Store, pragma: str, value: object) -> None:
    with sqlite_store.read() as first, sqlite_store.read() as second:
        for connection in (first, second):
            assert connection.scalar(text(f"PRAGMA {pragma}")) == value


def test_verdict_is_stored_with_a_full_sync(sqlite_store: Store) -> None:
    with sqlite_store.write(durable=False) as connection:
        assert connection.scalar(text("PRAGMA synchronous")) == 1
    with sqlite_store.write() as connection:
        assert connection.scalar(text("PRAGMA synchronous")) == 2


def test_writer_holds_the_lock_from_its_begin(sqlite_store: Store, tmp_path: Path) -> None:
    with sqlite_store.write(), pytest.raises(sqlite3.OperationalError, match="locked"):
        sqlite3.connect(tmp_path / "judge.db", timeout=0).execute("BEGIN IMMEDIATE")


def test_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "judge.db").write_text("not a database, but long enough to be read as a header")
    with pytest.raises(StoreError, match="not a database"):
        open_store(tmp_path)


def _open_and_close(url: str) -> None:
    Store.open(url).close()


def test_a_url_that_is_refused_keeps_its_password() -> None:
    with pytest.raises(StoreError, match=r"judge:\*\*\*@") as refused:
        Store.open("postgres://judge:hunter22@localhost/judge")
    assert "hunter22" not in str(refused.value)
