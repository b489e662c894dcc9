"""The contract of a driver: the same tests for each of them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
import torch
from conftest import require_docker
from processes import lives, until

import sandbox
from sandbox import Limits, SandboxFault, SandboxUnavailable, SessionEnded, wire
from sandbox.processes import birth

SOURCE = b"""
import os, sys, time
import torch

def double(x):
    return x * 2

def say(text):
    print(text)
    print(text, file=sys.stderr)

def spin():
    while True:
        pass

def leave(status):
    os._exit(status)

def garble():
    for fd in range(3, 10):
        try:
            os.write(fd, b"x" * 100)
        except OSError:
            pass
    os._exit(0)
"""


@pytest.fixture(scope="module", params=["local", "docker", "none"])
def driver(request: pytest.FixtureRequest) -> Iterator[Any]:
    if request.param == "docker":
        require_docker()
    opened = sandbox.open_sandbox(request.param)
    opened.wait_ready()
    yield opened
    opened.close()


def loaded(session: Any, source: bytes, functions: tuple[str, ...]) -> None:
    """Loads a module into a session."""
    names = dict.fromkeys(functions, "function")
    request = wire.encode(
        {"op": "load", "names": names, "forbidden": []}, [torch.tensor(list(source), dtype=torch.uint8)]
    )
    header, body, _ = session.exchange(request, 60)
    assert wire.decode(header, body).header == {"ok": True}


@pytest.fixture
def session(driver: Any) -> Iterator[Any]:
    opened = driver.open(Limits(time_s=10, memory_mb=256))
    loaded(opened, SOURCE, ("double", "say", "spin", "leave", "garble"))
    yield opened
    opened.close()


def call(session: Any, name: str, *arguments: Any, seconds: float = 10) -> Any:
    tensors: list[torch.Tensor] = []
    request = {"do": "call", "target": name, "arguments": [wire.encode_value(a, tensors) for a in arguments],
               "keywords": {}, "gradients": [], "cotangents": None, "parameters": [], "trace": False}  # fmt: skip
    header, body, took = session.exchange(
        wire.encode({"op": "calls", "release": [], "calls": [request]}, tensors), seconds
    )
    frame = wire.decode(header, body, contiguous=True)
    assert 0 < took < seconds
    return wire.decode_value(frame.header["results"][0]["value"], frame.tensors)


def test_values_come_back(session: Any) -> None:
    assert torch.equal(call(session, "double", torch.arange(3.0)), torch.tensor([0.0, 2.0, 4.0]))


def test_output_is_reported_once(session: Any) -> None:
    call(session, "say", "hello")
    first, second = session.report(), session.report()
    assert "hello" in first.stdout
    assert (second.stdout, second.stderr) == ("", "")


def test_output_keeps_head_and_tail(session: Any) -> None:
    call(session, "say", "begin " + "x" * 20_000 + " end")
    stdout = session.report().stdout
    assert stdout.startswith("begin")
    assert stdout.rstrip().endswith("end")
    assert len(stdout) < 6000


def test_time_out_ends_the_session_in_time(session: Any) -> None:
    start = time.perf_counter()
    with pytest.raises(SessionEnded) as ended:
        call(session, "spin", seconds=0.5)
    assert ended.value.kind == "time"
    assert time.perf_counter() - start < 5
    with pytest.raises(SessionEnded):
        call(session, "double", torch.zeros(1))


def test_an_exit_is_no_answer(session: Any) -> None:
    with pytest.raises(SessionEnded) as ended:
        call(session, "leave", 7)
    assert (ended.value.kind, ended.value.detail) == ("exit", 7)


def test_a_closed_session_leaves_the_driver_usable(driver: Any, session: Any) -> None:
    with pytest.raises(SessionEnded):
        call(session, "leave", 0)
    other = driver.open(Limits())
    other.close()


def test_garbage_on_the_wire_is_no_answer(session: Any) -> None:
    with pytest.raises(SessionEnded) as ended:
        call(session, "garble")
    assert ended.value.kind == "garbled"


def test_unknown_drivers_are_named() -> None:
    with pytest.raises(SandboxUnavailable, match="auto, "):
        sandbox.open_sandbox("cloud")


def test_auto_never_takes_none() -> None:
    assert "none" not in sandbox.AUTOMATIC


def test_a_killed_supervisor_is_a_fault_of_the_sandbox() -> None:
    opened = sandbox.open_sandbox("local")
    opened.wait_ready()
    os.kill(opened.pid, 9)  # type: ignore[attr-defined]
    with pytest.raises(SandboxFault):
        opened.open(Limits())
    opened.close()


def test_a_child_that_was_killed_while_it_waited_is_replaced() -> None:
    opened = sandbox.open_sandbox("local")
    used: set[psutil.Process] = set()
    try:
        opened.wait_ready()
        for _ in range(3):
            (spare,) = until(
                lambda: set(psutil.Process(opened.pid).children()) - used, "a child that waits for a session"
            )
            spare.kill()
            until(lambda: not lives(spare), "its end")  # noqa: B023
            session = opened.open(Limits(time_s=10, memory_mb=100))
            used.update(psutil.Process(opened.pid).children())
            loaded(session, SOURCE, ("double",))
            session.close()
    finally:
        opened.close()


def test_the_children_of_a_killed_supervisor_die() -> None:
    opened = sandbox.open_sandbox("local")
    session = opened.open(Limits())
    os.kill(opened.pid, 9)  # type: ignore[attr-defined]
    opened.process.wait(10)  # type: ignore[attr-defined]
    with pytest.raises((SandboxFault, SessionEnded)):
        call(session, "double", torch.zeros(1))
    opened.close()


def test_folders_of_killed_judges_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    ours, dead = f"judge-sandbox-{os.getpid()}-{birth(os.getpid())}-x", f"judge-sandbox-{2**22 + 1}-1-x"
    for name in (ours, dead, "judge-sandbox-of-another-kind"):
        (tmp_path / name).mkdir()
    sandbox.open_sandbox("local").close()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([ours, "judge-sandbox-of-another-kind"])


def test_the_folder_goes_when_the_host_was_killed(tmp_path: Path) -> None:
    program = "import os, sandbox; sandbox.open_sandbox('local').warm(); os.kill(os.getpid(), 9)"
    subprocess.run([sys.executable, "-c", program], env={**os.environ, "TMPDIR": str(tmp_path)}, check=False)
    deadline = time.monotonic() + 10
    while any(tmp_path.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not list(tmp_path.iterdir())


def test_a_named_driver_is_kept_with_its_option() -> None:
    assert sandbox.pinned("docker:runsc") == "docker:runsc"
    assert sandbox.pinned("auto") in sandbox.AUTOMATIC
