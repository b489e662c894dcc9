"""The gate: a sandbox over a Unix socket, for workers that may start none themselves."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from judge.grading.grader import Grader
from judge.model import Problem
from sandbox import SandboxFault, SandboxUnavailable, open_sandbox, profile, resolve
from sandbox.drivers import unix
from tests.processes import end, until

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[tuple[str, psutil.Process]]:
    """A gate for two sandboxes; its driver's name and its process."""
    path = tmp_path / "gate.sock"
    process = subprocess.Popen(
        [sys.executable, "-m", "sandbox.gate", str(path), "--most", "2"],
        env={"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}, cwd=tmp_path,
    )  # fmt: skip
    until(path.exists, "the gate's socket")
    yield f"unix:{path}", psutil.Process(process.pid)
    end(process.pid)
    process.wait()


def test_a_submission_is_graded_behind_the_gate(
    gate: tuple[str, psutil.Process], problem: Callable[[str], Problem]
) -> None:
    softmax = problem("softmax")
    grader = Grader(open_sandbox(gate[0]))
    report = grader.grade(softmax, (softmax.folder / "reference.py").read_bytes(), seed=1)
    assert (report.verdict, report.sandbox) == ("AC", "unix")
    wrong = softmax.submissions[-1]
    assert grader.grade(softmax, wrong.source, seed=1).verdict in wrong.expected
    grader.close()
    until(lambda: not gate[1].children(), "the end of the sandbox")


def test_a_dead_supervisor_is_a_fault_and_the_next_connection_works(
    gate: tuple[str, psutil.Process], problem: Callable[[str], Problem]
) -> None:
    name, process = gate
    softmax = problem("softmax")
    source = (softmax.folder / "reference.py").read_bytes()
    grader = Grader(open_sandbox(name))
    assert grader.grade(softmax, source, seed=1).verdict == "AC"
    for relay in process.children():
        relay.send_signal(signal.SIGKILL)
    assert grader.grade(softmax, source, seed=1).verdict == "JE"
    grader.close()
    again = Grader(open_sandbox(name))
    assert again.grade(softmax, source, seed=1).verdict == "AC"
    again.close()


def test_more_sandboxes_than_it_may_have_are_refused(gate: tuple[str, psutil.Process]) -> None:
    path = Path(gate[0].removeprefix("unix:"))
    taken = [unix.Supervisor(path, warming=False) for _ in range(2)]
    with pytest.raises(SandboxFault):
        unix.Supervisor(path, warming=False).wait_ready()
    for supervisor in taken:
        supervisor.wait_ready()
        supervisor.close()


def test_where_no_gate_listens_the_driver_says_so(tmp_path: Path) -> None:
    for name in ("unix", f"unix:{tmp_path / 'none.sock'}"):
        with pytest.raises(SandboxUnavailable):
            resolve(name)


def test_the_gates_profile_is_the_one_in_the_tree() -> None:
    assert json.loads((ROOT / "sandbox" / "gate.json").read_text()) == profile.profile(gate=True)
    rules = {name: rule for rule in profile.profile(gate=True)["syscalls"] for name in rule["names"]}
    assert rules["socket"]["args"] == [{"index": 0, "value": 1, "op": "SCMP_CMP_EQ"}]
    assert "connect" not in rules
    assert "socket" not in {name for rule in profile.profile()["syscalls"] for name in rule["names"]}


def test_the_gate_ends_when_asked_to(gate: tuple[str, psutil.Process]) -> None:
    gate[1].terminate()
    assert gate[1].wait(10) == 0
