"""`judge doctor`: one check a line; none of them changes anything.

tools     Python, torch, database, problems
kernel    release, Landlock, seccomp, cgroups, memory; Docker and runc
drivers   a verdict for each; then the one that the settings take is really started
--attack  a selection of the attack corpus, judged here
"""

from __future__ import annotations

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
from judge.cli.app import json_option, option
from judge.cli.words import say

TORCH_S = 120
LEAST_MEMORY_MB = 1024
"""Free memory for one grading process with its sandbox."""


@dataclass(frozen=True)
class Check:
    """`ok` is None where it is told but decides nothing: the drivers' lines do."""

    name: str
    ok: bool | None
    detail: str
    advice: str = ""


@judge_command("doctor")
@option("--attack", is_flag=True, help="attack")
@json_option
def command(as_json: bool, attack: bool) -> int:
    checks = [_advised(check) for check in _checks(config.load(), attack)]
    fine = all(check.ok is not False for check in checks)
    if as_json:
        from judge.cli.results import print_json

        print_json({"ok": fine, "checks": [asdict(check) for check in checks]})
    else:
        _show(checks, fine)
    return 0 if fine else 1


def _checks(settings: config.Config, attack: bool) -> Iterator[Check]:
    importing = subprocess.Popen(
        [sys.executable, "-P", "-c", "import torch"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    yield Check("python", sys.version_info >= (3, 11), f"{platform.python_version()}, {sys.executable}")
    yield Check("kernel", True, f"{platform.system()} {platform.release()}, {platform.machine()}")
    yield from _isolation()
    yield _memory()
    yield from _docker()
    yield _database(settings)
    yield _problems(settings.problems)
    yield _torch(importing)
    yield from _drivers()
    yield _sandbox(settings.sandbox)
    if attack:
        yield from _attacks(settings)


def _advised(check: Check) -> Check:
    if check.ok is not False or check.advice:
        return check
    return Check(check.name, check.ok, check.detail, say(f"doctor.advice.{check.name}"))


def _isolation() -> Iterator[Check]:
    from sandbox import probe

    if probe.wsl():
        yield Check("wsl", None, say("doctor.is_wsl"))
    if not sys.platform.startswith("linux"):
        return
    abi, seccomp, (version, controllers) = probe.landlock(), probe.seccomp(), probe.cgroups()
    yield Check("landlock", True if abi else None, f"ABI {abi}" if abi else say("doctor.no_landlock"))
    yield Check("seccomp", True if seccomp else None, say("doctor.available" if seccomp else "doctor.unavailable"))
    missing = ", ".join(name for name in probe.CONTROLLERS if name not in controllers)
    detail = f"v{version}: {', '.join(controllers)}" if version else say("doctor.unavailable")
    lacking = f"; {say('doctor.lacks', names=missing)}" if version and missing else ""
    yield Check("cgroups", None if missing else True, detail + lacking)


def _memory() -> Check:
    from sandbox import probe
    from sandbox.processes import cores

    whole, free = probe.memory_mb()
    detail = say("doctor.memory_is", whole=whole, free=free, cores=cores())
    return Check("memory", None if not whole else free >= LEAST_MEMORY_MB, detail)


def _docker() -> Iterator[Check]:
    from sandbox import probe

    found = probe.docker()
    if found is None:
        yield Check("docker", None, say("doctor.no_daemon"))
        return
    kind = f"Docker Desktop, Linux {found['kernel']}" if found["desktop"] else "Docker Engine"
    kind += ", rootless" if found["rootless"] else ""
    yield Check("docker", True, f"{kind} {found['engine']}, cgroup v{found['cgroups']}")
    escapes = probe.known_escapes(found["runc"])
    detail = f"{found['runc']}: {say('doctor.escapes', names=', '.join(escapes))}" if escapes else found["runc"]
    yield Check("runc", None if escapes else True, detail)


def _drivers() -> Iterator[Check]:
    from sandbox import probe

    names = {"docker": "driver_docker", "local": "driver_local"}
    for fact in probe.driver_facts():
        ready = say("doctor.usable")
        yield Check(names[fact.name], fact.usable or None, ready if fact.usable else fact.reason, fact.advice)


def _attacks(settings: config.Config) -> Iterator[Check]:
    from judge import attacks
    from judge.grading.grader import Grader
    from sandbox import SandboxUnavailable, open_sandbox

    try:
        grader = Grader(open_sandbox(settings.sandbox))
    except SandboxUnavailable as error:
        yield Check("attacks", False, error.reason, error.advice)
        return
    try:
        for outcome in attacks.attack(grader, loader.load_problem(settings.problems, "attention")):
            yield Check("attack", outcome.held, f"{outcome.name} ({outcome.verdict}): {outcome.tries}")
    finally:
        grader.close()


def _database(settings: config.Config) -> Check:
    from sqlalchemy.exc import SQLAlchemyError

    from judge.store import Store, StoreError

    where = config.variable("database_url") if settings.database_url else str(settings.data / "judge.db")
    path = None if settings.database_url else settings.data / "judge.db"
    if path is not None and not path.exists():
        folder = next(parent for parent in path.absolute().parents if parent.exists())
        if not os.access(folder, os.W_OK | os.X_OK) or not folder.is_dir():
            return Check("database", False, say("doctor.not_writable", where=where, reason=folder))
        return Check("database", True, f"{where}: {say('doctor.not_migrated')}")
    try:
        store = Store(settings.database)
        try:
            if settings.database_url:
                where = store.engine.url.render_as_string(hide_password=True)
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
        verdict = {True: "AC", False: "WA", None: ""}[check.ok]
        style = {True: "green", False: "bold red", None: "dim"}[check.ok]
        screen.line((f"{screen.icons[verdict]} ", style), f"{padded(head, width)}  {check.detail}", hang=width + 4)
        if check.advice:
            screen.line(check.advice, indent=width + 4)
    screen.blank()
    screen.line((say("doctor.fine" if fine else "doctor.lacking"), "bold"))
