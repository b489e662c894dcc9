"""Which core a grading process and its submissions keep to."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import sandbox
from judge import cores
from sandbox import Limits

linux = pytest.mark.skipif(sys.platform != "linux", reason="affinity is Linux's")


@pytest.fixture
def topology(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[set[int]]:
    """Four cores of two threads each, of which the process may use three and a half; what it was kept to."""
    for cpu in range(8):
        (tmp_path / str(cpu)).write_text(f"{cpu % 4},{cpu % 4 + 4}\n" if cpu else "0,4\n")
    kept: list[set[int]] = []
    monkeypatch.setattr(cores, "SIBLINGS", f"{tmp_path}/{{}}")
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1, 2, 3, 4, 5, 6})
    monkeypatch.setattr(os, "sched_setaffinity", lambda pid, cpus: kept.append(set(cpus)))
    return kept


@linux
def test_places_are_cores_with_all_their_threads(topology: list[set[int]]) -> None:
    for place in range(5):
        cores.keep_to(place, first=0)
    assert topology == [{0, 4}, {1, 5}, {2, 6}, {3}]  # the fifth goes where there is room


@linux
def test_judges_on_one_machine_begin_at_different_cores(topology: list[set[int]]) -> None:
    for first in (2, 3, 4):
        cores.keep_to(0, first)
    assert topology == [{2, 6}, {3}, {0, 4}]


@linux
def test_a_kernel_that_tells_no_cores_has_one_for_each_cpu(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cores, "SIBLINGS", f"{tmp_path}/{{}}")
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {3, 1})
    assert cores.of_this_process() == [{1}, {3}]


@linux
@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two CPUs")
def test_a_submission_runs_where_its_grader_does() -> None:
    allowed = os.sched_getaffinity(0)
    opened = sandbox.open_sandbox("local")
    try:
        opened.wait_ready()
        for cpus in ({max(allowed)}, {min(allowed)}, allowed):
            os.sched_setaffinity(0, cpus)
            session = opened.open(Limits())
            assert os.sched_getaffinity(session.channel.pid) == cpus  # type: ignore[attr-defined]
            session.close()
    finally:
        os.sched_setaffinity(0, allowed)
        opened.close()
