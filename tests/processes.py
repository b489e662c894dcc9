"""Real processes for the tests of worker and server, and waiting for what they do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import psutil
from sqlalchemy import func, select

from judge.model import Report
from judge.queue import Bell
from judge.store import Store, SubmissionView
from judge.store.tables import case_result, judging, submission
from judge.worker import READY

BANK = Path(__file__).parent / "bank"
PATIENCE_S = 90.0
T = TypeVar("T")


def until(look: Callable[[], T | None], what: str) -> T:
    """The first true value of `look`."""
    give_up = time.monotonic() + PATIENCE_S
    while time.monotonic() < give_up:
        value = look()
        if value:
            return value
        time.sleep(0.01)
    raise AssertionError(f"waited {PATIENCE_S} s in vain for {what}")


def environment(store: Store, folder: Path, **settings: str) -> dict[str, str]:
    """For child processes: this database, the small bank of the tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("JUDGE_")}
    ours = {"JUDGE_DATA": str(folder), "JUDGE_DATABASE_URL": str(store.engine.url), "JUDGE_PROBLEMS": str(BANK)}
    return kept | ours | {"JUDGE_LANG": "en", "JUDGE_SANDBOX": "local"} | settings


@contextmanager
def worker(store: Store, folder: Path, **settings: str) -> Iterator[subprocess.Popen[bytes]]:
    """A worker that is ready; ended, with all it started, at the end."""
    bell = Bell.make()
    assert bell.read_fd is not None
    assert bell.write_fd is not None
    os.set_blocking(bell.read_fd, True)
    process = subprocess.Popen(
        [sys.executable, "-m", "judge.worker"],
        env=environment(store, folder, **settings) | {f"{READY}_WRITE_FD": str(bell.write_fd)},
        pass_fds=[bell.write_fd],
    )
    os.close(bell.write_fd)
    try:
        assert json.loads(os.read(bell.read_fd, 65536))["sandbox"]
        yield process
    finally:
        end(process.pid)
        process.wait()
        os.close(bell.read_fd)


def end(pid: int) -> None:
    """Kills a process we started and everything below it."""
    try:
        root = psutil.Process(pid)
        family = [*root.children(recursive=True), root]
    except psutil.NoSuchProcess:
        return
    for process in family:
        try:
            process.kill()
        except psutil.NoSuchProcess:
            continue


def lives(process: psutil.Process) -> bool:
    """Runs; a zombie that nobody has waited for yet does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def below(pid: int, module: str) -> list[psutil.Process]:
    """The processes below `pid` that run `python -m module`, parents first."""
    found = []
    for process in psutil.Process(pid).children(recursive=True):
        try:
            if module in process.cmdline():
                found.append(process)
        except (psutil.NoSuchProcess, psutil.ZombieProcess):
            continue
    return found


def running(store: Store, number: int) -> SubmissionView:
    """Waits until the submission is being graded."""

    def look() -> SubmissionView | None:
        view = store.submission(number)
        return view if view and view.judging.status == "running" else None

    return until(look, f"submission {number} to be graded")


def judged(store: Store, number: int) -> SubmissionView:
    """Waits until nothing more will change about the submission."""

    def look() -> SubmissionView | None:
        view = store.submission(number)
        return view if view and view.judging.status == "done" and not view.judging.diagnosing else None

    return until(look, f"the verdict of submission {number}")


def verdict(store: Store, number: int) -> Report:
    """Waits for the report."""
    report = judged(store, number).report
    assert report is not None
    return report


def assert_one_verdict(store: Store) -> None:
    """Every submission has one judging, done, with the three cases of the small bank's problem."""
    columns = (
        func.count(judging.c.id.distinct()),
        func.count(judging.c.verdict.distinct()),
        func.count(case_result.c.name),
    )
    query = (
        select(*columns)
        .select_from(submission)
        .outerjoin(judging, judging.c.submission_id == submission.c.id)
        .outerjoin(case_result, case_result.c.judging_id == judging.c.id)
        .group_by(submission.c.id)
    )
    with store.read() as connection:
        assert {tuple(row) for row in connection.execute(query)} == {(1, 1, 3)}
