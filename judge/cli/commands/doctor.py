"""`judge doctor`: one check a line; none of them changes anything."""

from __future__ import annotations

import ctypes
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path

from judge import config, loader
from judge.cli.app import command as judge_command
from judge.cli.app import json_option
from judge.cli.words import say

PR_GET_SECCOMP = 21
TORCH_S = 120


@dataclass(frozen=True)
class Check:
    """`ok` is None where the thing does not exist on this system and is not needed."""

    name: str
    ok: bool | None
    detail: str
    advice: str = ""


@judge_command("doctor")
@json_option
def command(as_json: bool) -> int:
    checks = [_advised(check) for check in _checks(config.load())]
    fine = all(check.ok is not False for check in checks)
    if as_json:
        from judge.cli.results import print_json

        print_json({"ok": fine, "checks": [asdict(check) for check in checks]})
    else:
        _show(checks, fine)
    return 0 if fine else 1


def _checks(settings: config.Config) -> Iterator[Check]:
    importing = subprocess.Popen(
        [sys.executable, "-P", "-c", "import torch"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    yield Check("python", sys.version_info >= (3, 11), f"{platform.python_version()}, {sys.executable}")
    yield Check("kernel", True, f"{platform.system()} {platform.release()}, {platform.machine()}")
    yield from _isolation()
    yield _database(settings)
    yield _problems(settings.problems)
    yield _torch(importing)
    yield _sandbox(settings.sandbox)


def _advised(check: Check) -> Check:
    if check.ok is not False or check.advice:
        return check
    return Check(check.name, check.ok, check.detail, say(f"doctor.advice.{check.name}"))


def _isolation() -> Iterator[Check]:
    if not sys.platform.startswith("linux"):
        return
    from sandbox.jail import landlock_abi

    abi = landlock_abi()
    yield Check("landlock", abi > 0, f"ABI {abi}" if abi else say("doctor.unavailable"))
    seccomp = ctypes.CDLL(None).prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0
    yield Check("seccomp", seccomp, say("doctor.available" if seccomp else "doctor.unavailable"))


def _database(settings: config.Config) -> Check:
    from sqlalchemy.exc import SQLAlchemyError

    from judge.store import Store, StoreError

    where = settings.database_url or str(settings.data / "judge.db")
    path = None if settings.database_url else settings.data / "judge.db"
    if path is not None and not path.exists():
        folder = next(parent for parent in path.absolute().parents if parent.exists())
        if not os.access(folder, os.W_OK | os.X_OK) or not folder.is_dir():
            return Check("database", False, say("doctor.not_writable", where=where, reason=folder))
        return Check("database", True, f"{where}: {say('doctor.not_migrated')}")
    try:
        store = Store(settings.database)
        try:
            with store.write():
                pass
        finally:
            store.close()
    except (StoreError, SQLAlchemyError) as error:
        reason = str(getattr(error, "orig", None) or error)
        return Check("database", False, say("doctor.not_writable", where=where, reason=reason))
    return Check("database", True, say("doctor.writable", where=where))


def _problems(bank: Path) -> Check:
    problems, broken = loader.load_bank(bank)
    detail = say("doctor.loaded", count=len(problems), folder=bank)
    return Check("problems", bool(problems) and not broken, "; ".join([detail, *map(str, broken)]))


def _torch(importing: subprocess.Popen[str]) -> Check:
    try:
        _, errors = importing.communicate(timeout=TORCH_S)
    except subprocess.TimeoutExpired:
        importing.kill()
        return Check("torch", False, f"import: > {TORCH_S} s")
    if importing.returncode:
        return Check("torch", False, (errors.strip().splitlines() or ["?"])[-1])
    return Check("torch", True, metadata.version("torch"))


def _sandbox(name: str) -> Check:
    """Really starts one and a session in it."""
    from sandbox import Limits, SandboxFault, SandboxUnavailable, SessionEnded, open_sandbox

    start = time.monotonic()
    try:
        sandbox = open_sandbox(name)
        try:
            sandbox.open(Limits()).close()
        finally:
            sandbox.close()
    except SandboxUnavailable as error:
        return Check("sandbox", False, error.reason, error.advice)
    except (SandboxFault, SessionEnded) as error:
        return Check("sandbox", False, str(error))
    seconds = time.monotonic() - start
    return Check("sandbox", True, say("doctor.started", asked=name, name=sandbox.name, seconds=seconds))


def _show(checks: list[Check], fine: bool) -> None:
    from judge.cli.layout import columns, padded
    from judge.cli.terminal import Screen

    screen = Screen()
    heads = {check: say(f"doctor.{check.name}") for check in checks}
    width = max(columns(head) for head in heads.values())
    for check, head in heads.items():
        verdict = "AC" if check.ok else "WA"
        style = "green" if check.ok else "bold red"
        screen.line((f"{screen.icons[verdict]} ", style), f"{padded(head, width)}  {check.detail}", hang=width + 4)
        if check.advice:
            screen.line(check.advice, indent=width + 4)
    screen.blank()
    screen.line((say("doctor.fine" if fine else "doctor.lacking"), "bold"))
