"""The container: its flags as Docker has them, its memory, its end; frames in both directions; who removes what."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from conftest import require_docker
from test_drivers import call, loaded

import sandbox
from sandbox import Limits, SandboxFault, SandboxUnavailable, SessionEnded, container, image, profile
from sandbox.drivers import docker as driver
from tests.daemon import Daemon
from tests.processes import assert_one_verdict, running, until, verdict, worker
from tests.records import open_store

MODULE = b"""
import os, threading
import torch

def double(x):
    return x * 2

def big(n):
    return torch.ones(n, dtype=torch.uint8)

def flood(seconds):
    def write():
        while True:
            os.write(3, b"x" * 65536)
    threading.Thread(target=write, daemon=True).start()
    return 1

def hold(x):
    import time
    time.sleep(3600)

def die(number):
    import ctypes
    ctypes.string_at(0)
"""
JUDGE_THAT_DIES = """
import os, sandbox
opened = sandbox.open_sandbox("docker")
opened.wait_ready()
print(opened.current.container.id, flush=True)
os.kill(os.getpid(), 9)
"""
NAMES = ("double", "big", "flood", "hold", "die")


@pytest.fixture(scope="module")
def opened() -> Iterator[Any]:
    require_docker()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUDGE_TOKEN", "a secret of the host")
        place = sandbox.open_sandbox("docker")
    place.wait_ready()
    yield place
    place.close()


def start(place: Any, memory_mb: int = 256) -> Any:
    session = place.open(Limits(time_s=10, memory_mb=memory_mb))
    loaded(session, MODULE, NAMES)
    return session


def containers() -> set[str]:
    client = driver.connect()
    found = {c.id for c in client.containers.list(filters={"label": container.LABEL}, ignore_removed=True)}
    client.close()
    return found


def test_every_flag_is_on(opened: Any) -> None:
    seen = opened.client.api.inspect_container(opened.current.container.id)
    host, config = seen["HostConfig"], seen["Config"]
    assert host["NetworkMode"] == "none"
    assert list(seen["NetworkSettings"]["Networks"]) == ["none"]
    assert host["ReadonlyRootfs"] is True
    assert host["CapDrop"] == ["ALL"]
    assert not host["CapAdd"]
    assert host["Privileged"] is False
    assert "no-new-privileges:true" in host["SecurityOpt"]
    assert any(option.startswith('seccomp={"defaultAction": "SCMP_ACT_ERRNO"') for option in host["SecurityOpt"])
    assert host["PidsLimit"] == container.PIDS
    assert host["Memory"] == host["MemorySwap"] == opened.current.memory_mb << 20
    assert 0 < host["NanoCpus"] <= 2_000_000_000
    assert host["IpcMode"] == "none"
    assert host["PidMode"] == host["UsernsMode"] == ""
    assert host["Tmpfs"] == {"/tmp": "size=1m,mode=1777,nosuid,nodev,noexec"}
    assert not host["Binds"]
    assert not seen["Mounts"]
    assert not host["Devices"]
    assert host["LogConfig"]["Type"] == "none"
    assert config["User"] == container.USER
    assert not [value for value in config["Env"] if "secret" in value]


def test_supervisor_has_no_privilege_and_a_filter(opened: Any) -> None:
    status = opened.current.container.exec_run(["cat", "/proc/1/status"]).output.decode()
    lines = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert lines["CapEff"] == lines["CapBnd"] == "0" * 16
    assert (lines["NoNewPrivs"], lines["Seccomp"]) == ("1", "2")
    assert lines["Uid"].split() == ["10001"] * 4


@pytest.mark.parametrize(
    "name",
    [
        "connect",
        "socket",
        "mount",
        "ptrace",
        "unshare",
        "setns",
        "keyctl",
        "bpf",
        "io_uring_setup",
        "memfd_create",
        "userfaultfd",
        "perf_event_open",
    ],
)
def test_profile_has_no_call_for(name: str) -> None:
    assert not [rule for rule in profile.profile()["syscalls"] if name in rule["names"]]


def test_large_frames_both_ways(opened: Any) -> None:
    session = start(opened)
    x = torch.arange(3_000_000, dtype=torch.float32)
    assert torch.equal(call(session, "double", x), x * 2)
    assert call(session, "big", 12 << 20).numel() == 12 << 20
    session.close()


def test_child_that_never_stops_writing_holds_up_nothing(opened: Any) -> None:
    session = start(opened)
    with contextlib.suppress(SessionEnded):  # its first answer may still come in one piece
        call(session, "flood", 1)
    with pytest.raises(SessionEnded) as ended:
        call(session, "flood", 1)
    assert ended.value.kind == "garbled"
    again = start(opened)
    assert call(again, "double", torch.ones(1)).item() == 2
    again.close()


def test_child_that_does_not_read_ends_in_time(opened: Any) -> None:
    session = start(opened)
    with pytest.raises(SessionEnded) as ended:
        call(session, "hold", torch.zeros(30 << 18), seconds=1)
    assert ended.value.kind == "time"


def test_odd_end_brings_a_new_container(opened: Any) -> None:
    session = start(opened)
    before = opened.current.container.id
    with pytest.raises(SessionEnded):
        call(session, "die", 1)
    for _ in range(200):
        session = start(opened)
        assert call(session, "double", torch.ones(1)).item() == 2
        session.close()
        if opened.current.container.id != before:
            break
    assert opened.current.container.id != before
    assert before not in containers()


def test_memory_follows_the_limit(opened: Any) -> None:
    start(opened, memory_mb=1024).close()
    seen = opened.client.api.inspect_container(opened.current.container.id)["HostConfig"]
    assert seen["Memory"] == container.memory_for(1024) << 20


def test_lost_container_is_a_fault_of_the_sandbox() -> None:
    require_docker()
    place = sandbox.open_sandbox("docker")
    place.wait_ready()
    session = start(place)
    place.current.container.kill()  # type: ignore[attr-defined]
    with pytest.raises(SandboxFault):
        call(session, "double", torch.ones(1))
    with pytest.raises(SandboxFault):
        place.open(Limits())
    place.close()


def test_container_ends_with_its_judge() -> None:
    require_docker()
    program = [sys.executable, "-c", JUDGE_THAT_DIES]
    done = subprocess.run(program, capture_output=True, text=True, timeout=100)
    made = done.stdout.strip()
    assert made
    client = driver.connect()
    try:
        client.containers.get(made).wait(timeout=20)
    except Exception as error:
        assert "No such container" in str(error) or "404" in str(error)  # noqa: PT017
    client.close()
    assert made not in containers()


def test_stale_container_is_removed_at_the_start() -> None:
    require_docker()
    client = driver.connect()
    boot, _, _ = container.owner().split("/")
    flags = container.flags(300, None) | {"auto_remove": False}
    flags["labels"] = {container.LABEL: f"{boot}/{2**22 + 1}/1"}
    made = client.containers.create(image.name(), **flags).id
    driver.remove_stale(client)
    assert made not in {c.id for c in client.containers.list(all=True, ignore_removed=True)}
    client.close()


def test_own_container_is_not_stale() -> None:
    assert not container.is_stale(container.owner())
    assert not container.is_stale("another-boot/1/1")
    assert not container.is_stale("")


def test_missing_daemon_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    with pytest.raises(SandboxUnavailable, match="no Docker daemon answers") as refused:
        driver.check()
    assert "--sandbox local" in refused.value.advice


def test_missing_image_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    require_docker()
    monkeypatch.setattr(image, "REPOSITORY", "attention-judge-never-built")
    with pytest.raises(SandboxUnavailable, match="not built") as refused:
        driver.check()
    assert "judge sandbox build" in refused.value.advice


def test_unknown_runtime_is_named() -> None:
    require_docker()
    with pytest.raises(SandboxUnavailable, match="no runtime 'no-such-runtime'"):
        sandbox.open_sandbox("docker:no-such-runtime")


def test_environment_of_the_host_stays_outside(opened: Any) -> None:
    names = opened.current.container.exec_run(["cat", "/proc/1/environ"]).output.decode(errors="replace")
    assert "JUDGE_TOKEN" not in names
    assert os.environ.get("HOME", "/no-home-set") == "/" or os.environ.get("HOME", "/no-home-set") not in names


def test_daemon_that_goes_away_loses_nothing(tmp_path: Path) -> None:
    require_docker()
    store, daemon = open_store(tmp_path), Daemon(tmp_path / "docker.sock")
    slow = b"import time\n\ndef double(x):\n    time.sleep(0.3)\n    return x + x\n"
    daemon.start()
    with worker(store, tmp_path, JUDGE_SANDBOX="docker", DOCKER_HOST=daemon.host):
        numbers = [store.submit(learner="ada", problem="double", source=slow)[0].submission.id for _ in range(3)]
        running(store, numbers[0])
        daemon.stop()
        numbers.append(store.submit(learner="ada", problem="double", source=slow)[0].submission.id)
        until(lambda: store.submission(numbers[0]).judging.status == "queued", "what was graded to be queued again")
        daemon.start()
        assert [verdict(store, number).verdict for number in numbers] == ["AC"] * 4
    assert_one_verdict(store)
