"""A PostgreSQL server of the tests' own, from Debian's programs (JUDGE_POSTGRES_BIN names another folder of them).

It listens on a Unix socket only and runs as an unprivileged user where the tests run as root.
"""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from judge.store import Store

OPTIONS = "-c max_connections=200 -c shared_buffers=64MB"
QUICK = "-c fsync=off -c full_page_writes=off"
PATIENCE_S = 60.0
USER = "postgres"


def programs() -> Path | None:
    """The folder with `initdb` and `postgres`; None where there is none."""
    named = os.environ.get("JUDGE_POSTGRES_BIN")
    found = [Path(named)] if named else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return next((folder for folder in reversed(found) if (folder / "initdb").exists()), None)


class Server:
    """A cluster in a folder of its own. `database()` makes a new database with our tables in it.

    Not `durable`: quicker, and its data is lost with a crash. `listen`: an address for others of its network too.
    """

    def __init__(self, bin: Path, *, durable: bool = False, listen: str = "") -> None:
        self.bin, self.options = bin, [*OPTIONS.split(" "), *([] if durable else QUICK.split(" "))]
        self.options += ["-c", f"listen_addresses={listen}"]
        self.folder = Path(tempfile.mkdtemp(prefix="judge-postgres-"))
        self.user = USER if os.geteuid() == 0 else None
        if self.user:
            shutil.chown(self.folder, self.user)
        data = self.folder / "data"
        subprocess.run(
            [bin / "initdb", "-D", data, "-U", USER, "-E", "UTF8", "--locale=C.UTF-8", "--auth=trust", "--no-sync"],
            check=True, user=self.user, cwd="/", stdout=subprocess.DEVNULL,
        )  # fmt: skip
        if listen:
            with (data / "pg_hba.conf").open("a", encoding="utf-8") as rules:
                rules.write("host all all samenet trust\n")
        self.process = self._start()
        self.numbers = itertools.count(1)
        self.admin = create_engine(self.url("postgres"), isolation_level="AUTOCOMMIT")
        self._wait()
        self._execute("CREATE DATABASE migrated")
        Store.open(self.url("migrated")).close()

    def url(self, database: str) -> str:
        return f"postgresql+psycopg://{USER}@/{database}?host={self.folder}"

    def empty(self) -> str:
        """The URL of a new database without tables."""
        return self._create("template1")

    def database(self) -> str:
        """The URL of a new database with our tables."""
        return self._create("migrated")

    def crash(self) -> None:
        """Ends it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def restart(self) -> None:
        """Starts it again after a crash."""
        give_up = time.monotonic() + PATIENCE_S
        self.process = self._start()
        while self.process.poll() is not None or not self._answers():  # its processes of before may take a moment to go
            assert time.monotonic() < give_up, "PostgreSQL does not start again"
            time.sleep(0.1)
            if self.process.poll() is not None:
                self.process = self._start()

    def stop(self) -> None:
        """Ends it at once; the folder goes with it."""
        self.admin.dispose()
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()
        shutil.rmtree(self.folder)

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [self.bin / "postgres", "-D", self.folder / "data", "-k", self.folder, *self.options],
            user=self.user, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip

    def _answers(self) -> bool:
        try:
            self._execute("SELECT 1")
        except OperationalError:
            return False
        return True

    def _create(self, template: str) -> str:
        name = f"test_{next(self.numbers)}"
        self._execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    def _execute(self, statement: str) -> None:
        with self.admin.connect() as connection:
            connection.execute(text(statement))

    def _wait(self) -> None:
        give_up = time.monotonic() + PATIENCE_S
        while not self._answers():
            assert time.monotonic() < give_up, "PostgreSQL does not start"
            assert self.process.poll() is None, "PostgreSQL ended"
            time.sleep(0.05)
