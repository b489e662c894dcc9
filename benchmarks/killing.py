"""What chaos.py lets die: a judge as a process family, and the hands that kill, pause, fill and turn clocks."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from benchmarks.measuring import ROOT
from benchmarks.serving import wait_until_ready
from tests.postgres import Server
from tests.processes import below

PORT = 8941
LEASE_S = 4.0
PATIENCE_S = 180.0
DISK_MB = 96
HOUR_S = 3600.0
KILLINGS = 3
"""So much more often is something killed than paused, locked, filled or turned."""


class Judge:
    """`judge serve` on one database, started again when it was killed as a whole."""

    def __init__(self, data: Path, temporary: Path, url: str, driver: str, log: Path) -> None:
        self.environment = os.environ | {
            "JUDGE_DATA": str(data), "JUDGE_DATABASE_URL": url, "JUDGE_SANDBOX": driver, "JUDGE_LEASE_S": str(LEASE_S),
            "JUDGE_PORT": str(PORT), "JUDGE_SUBMISSIONS_PER_MINUTE": "0", "JUDGE_SUBMISSIONS_PER_HOUR": "0",
            "OMP_NUM_THREADS": "1", "JUDGE_WORKERS": "2", "TMPDIR": str(temporary),
        }  # fmt: skip
        self.log = log.open("ab")
        self.process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "judge", "serve"]
        return subprocess.Popen(command, env=self.environment, cwd=ROOT, stdout=self.log, stderr=self.log)

    def family(self, word: str) -> list[psutil.Process]:
        """The processes below it that run this module."""
        with suppress(psutil.Error):
            return below(self.process.pid, word)
        return []

    def keep_up(self) -> None:
        """Starts it again where it ended."""
        if self.process.poll() is not None:
            self.process = self._start()

    def wait_ready(self) -> None:
        wait_until_ready(PORT, PATIENCE_S, self.keep_up)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        self.log.close()


@dataclass
class Chaos:
    """What is done to the judge, and how often it was."""

    judge: Judge
    dice: random.Random
    database: Server | None
    file: Path | None
    disk: Path | None
    clock: bool
    apart_s: float
    counts: Counter[str] = field(default_factory=Counter)

    def kinds(self) -> dict[str, Callable[[], bool]]:
        found: dict[str, Callable[[], bool]] = {
            "worker killed": lambda: self._kill("judge.worker"),
            "supervisor killed": lambda: self._kill("sandbox.runner"),
            "web server killed": lambda: self._kill("web"),
            "parent killed": self._kill_parent,
            "worker paused past its lease": self._pause,
        }
        if self.database:
            found["database killed"] = self._kill_database
        if self.file:
            found["database locked for 2 s"] = self._lock
        if self.disk:
            found["disk full for 2 s"] = self._fill
        if self.clock:
            found["clock an hour ahead for 1 s"] = lambda: self._jump(HOUR_S)
            found["clock an hour back for 1 s"] = lambda: self._jump(-HOUR_S)
        if self.judge.environment["JUDGE_SANDBOX"].startswith("docker"):
            found["container killed"] = self._kill_container
        return found

    def run(self, seconds: float, going: Callable[[], bool]) -> None:
        kinds = self.kinds()
        weights = [KILLINGS if name.endswith("killed") else 1 for name in kinds]
        end = time.monotonic() + seconds
        while time.monotonic() < end or going():
            (name,) = self.dice.choices(list(kinds), weights)
            with suppress(sqlite3.OperationalError):  # the judge holds the lock itself
                self.counts[name] += kinds[name]()
            self.judge.keep_up()
            time.sleep(self.dice.uniform(0.1, 2 * self.apart_s))
            if time.monotonic() > end + PATIENCE_S:
                break

    def _kill(self, word: str) -> bool:
        family = self.judge.family(word)
        if not family:
            return False
        with suppress(psutil.Error):
            self.dice.choice(family).kill()
        return True

    def _kill_parent(self) -> bool:
        self.judge.process.kill()
        self.judge.process.wait()
        return True

    def _pause(self) -> bool:
        family = self.judge.family("judge.worker")
        if not family:
            return False
        with suppress(psutil.Error):
            paused = self.dice.choice(family)
            paused.suspend()
            time.sleep(LEASE_S * 1.5)
            paused.resume()
        return True

    def _kill_database(self) -> bool:
        assert self.database
        self.database.crash()
        time.sleep(self.dice.uniform(0, 2))
        self.database.restart()
        return True

    def _lock(self) -> bool:
        with closing(sqlite3.connect(str(self.file), timeout=5, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            time.sleep(2)
        return True

    def _fill(self) -> bool:
        assert self.disk
        ballast = self.disk / "ballast"
        with suppress(OSError), ballast.open("wb") as file:
            while True:
                file.write(b"\0" * 65536)
                file.flush()
        time.sleep(2)
        ballast.unlink(missing_ok=True)
        return True

    def _jump(self, seconds: float) -> bool:
        before = time.clock_gettime(time.CLOCK_REALTIME) - time.monotonic()
        time.clock_settime(time.CLOCK_REALTIME, time.time() + seconds)
        time.sleep(1)
        time.clock_settime(time.CLOCK_REALTIME, before + time.monotonic())
        return True

    def _kill_container(self) -> bool:
        import docker

        from sandbox.container import LABEL

        client = docker.from_env()
        found = client.containers.list(filters={"label": LABEL}, ignore_removed=True)
        if found:
            with suppress(docker.errors.APIError):
                self.dice.choice(found).kill()
        client.close()
        return bool(found)


@contextmanager
def disk(wanted: bool) -> Iterator[Path]:
    """A folder for the data; with `wanted` a small file system of its own."""
    with tempfile.TemporaryDirectory(prefix="judge-chaos-") as folder:
        if wanted:
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m", "tmpfs", folder], check=True)
        try:
            yield Path(folder)
        finally:
            if wanted:
                subprocess.run(["umount", "--lazy", folder], check=True)
