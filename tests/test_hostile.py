"""Every submission below `hostile/` gets its folder's verdict, leaves nothing behind and learns nothing.

    hostile/<verdict>/NAME.py     first line `# expect: RTE|TLE` widens the verdict; the docstring says what it tries
                                  first line `# driver: docker`: what only a container keeps from it
                                  second line `# explained`: aims at smallest input and diagnosis

An attack that got through prints a word that must not be in anything the learner reads, or leaves a file or process
with a mark in its name.
"""

from __future__ import annotations

import json
import os
import resource
import sysconfig
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from conftest import BANK, ROOT, TOKEN, expected_verdicts, with_little_memory

from judge.attacks import LEAK
from judge.grading.grader import Grader
from judge.messages import report_json
from judge.model import LANGS, Problem, Report
from sandbox.container import LABEL, owner

HOSTILE = Path(__file__).resolve().parent / "hostile"
FILES = sorted(HOSTILE.glob("*/*.py"))
IN_CONTAINER = b"# driver: docker\n"
EXPLAINED = b"\n# explained\n"
MAX_GROWTH_KB = 200 << 10
"""Of the grader's peak memory, in one attack."""
MARK = "h0stile"
WRITABLE = ("/tmp", "/var/tmp", "/dev/shm", "/run/lock", "/var/crash")
HONEST = b"""
# canary-of-another-learner
import torch
def attention(q, k, v, mask=None):
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, -1)) @ v
"""


@dataclass(frozen=True)
class Traces:
    """Processes, descriptors (`here`: of this process, `there`: of the supervisor), files, containers."""

    children: int
    here: frozenset[str]
    there: int
    files: frozenset[str]
    marked: frozenset[str]
    containers: int


def traces(sandbox: Any) -> Traces:
    """At rest: the supervisor has buried what it was told to close, and has one spare child."""
    supervisor, places, containers = _at_rest(sandbox)
    descriptors = [fd for fd in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{fd}")]
    links = [f"{fd} {os.readlink(f'/proc/self/fd/{fd}')}" for fd in descriptors]
    passing = ("pytest-of", "socket:") if containers else ("pytest-of",)  # tests' databases; a new container's stream
    here = frozenset(link for link in links if not any(word in link for word in passing))
    children = Path(f"/proc/{supervisor}/task/{supervisor}/children").read_text().split()
    files = {name for place in places for name in os.listdir(place)}
    files |= {path for place in (*WRITABLE, ".", str(HOSTILE)) for path in _listed(place) if MARK in path}
    marked = {pid for pid in os.listdir("/proc") if pid.isdigit() and MARK in _described(pid)}
    there = len(os.listdir(f"/proc/{supervisor}/fd"))
    return Traces(len(children), here, there, frozenset(files), frozenset(marked), containers)


def settled(sandbox: Any, before: Traces) -> Traces:
    """The traces when they are as before, or after a while: other tests run on this machine, and what they do ends."""
    end = time.monotonic() + 10
    while (after := traces(sandbox)) != before and time.monotonic() < end:
        time.sleep(0.05)
    return after


def _at_rest(sandbox: Any) -> tuple[int, list[str], int]:
    """The supervisor's process, the folders that it could write to, and how many containers there are."""
    end = time.monotonic() + 20
    if sandbox.name == "local":
        while not sandbox.ask({"op": "report", "session": 0})[0]["at_rest"] and time.monotonic() < end:
            time.sleep(0.005)
        return sandbox.pid, [str(sandbox.folder)], 0
    sandbox.renew()
    container = sandbox.current
    while not container.ask({"op": "report", "session": 0})[0]["at_rest"] and time.monotonic() < end:
        time.sleep(0.005)
    container.container.reload()
    init = container.container.attrs["State"]["Pid"]
    supervisor = int(Path(f"/proc/{init}/task/{init}/children").read_text().split()[0])
    mine = {"label": f"{LABEL}={owner()}"}
    return supervisor, [f"/proc/{init}/root/tmp"], len(sandbox.client.api.containers(filters=mine))


def _listed(place: str) -> list[str]:
    return [f"{place}/{name}" for name in os.listdir(place)] if os.path.isdir(place) else []


def _described(pid: str) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text() + Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
    except OSError:
        return ""


def texts(value: Any) -> Iterator[str]:
    """Every string in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from texts(key)
            yield from texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from texts(item)


def readable(report: Report, problem: Problem) -> str:
    """All that a learner can read of a report, in both languages. Must be JSON and UTF-8."""
    told = [report_json(report, problem, lang) for lang in LANGS]
    json.dumps(told, ensure_ascii=False, allow_nan=False).encode("utf-8")
    return "\n".join(texts(told))


def secrets(problem: Problem, source: bytes) -> set[str]:
    """Lines of tests and reference that the submission does not hold itself, places, and the environment."""
    lines = [
        line.strip() for name in ("tests.py", "reference.py") for line in (problem.folder / name).open(encoding="utf-8")
    ]
    own = source.decode("utf-8", "replace")
    code = {line for line in lines if len(line) >= 24 and not line.startswith('"""') and line not in own}
    places = {str(BANK), str(ROOT / "judge"), str(ROOT / "sandbox"), sysconfig.get_path("purelib")}
    return (
        code
        | places
        | {", in _become_child"}
        | {LEAK, TOKEN}
        | {value for value in os.environ.values() if len(value) >= 24}
    )


@pytest.fixture(scope="module")
def attention(problem: Callable[[str], Problem]) -> Problem:
    return problem("attention")


@pytest.fixture(scope="module")
def warm(each_grader: Grader, attention: Problem) -> Grader:
    """A grader that has judged once: what it keeps open from then on is no trace of a submission."""
    assert each_grader.grade(attention, HONEST, seed=1).verdict == "AC"
    return each_grader


@pytest.mark.parametrize("path", [pytest.param(path, id=f"{path.parent.name}-{path.stem}") for path in FILES])
def test_attack_fails(
    path: Path, warm: Grader, each_sandbox: Any, attention: Problem, problem: Callable[[str], Problem]
) -> None:
    sandbox = each_sandbox
    source = path.read_bytes()
    if source.startswith(IN_CONTAINER) and sandbox.name != "docker":
        pytest.skip("only a container keeps this from it; SECURITY.md says so")
    before = traces(sandbox)
    judged = problem("causal-mha") if source.startswith(b"# problem: causal-mha\n") else attention
    peak_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    report = warm.grade(with_little_memory(judged) if path.parent.name == "memory_limit" else judged, source, seed=20)
    if EXPLAINED in source:
        found = warm.explain(judged, source, report, 3)
        report = replace(report, diagnosis=found.mistake, smallest=found.smallest)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak_kb < MAX_GROWTH_KB
    after = settled(sandbox, before)
    read = readable(report, judged)
    assert report.verdict in expected_verdicts(path), f"{report.first_failure or report.finding} {report.internal}"
    assert "JE" not in {case.verdict for case in report.cases}
    assert not [secret for secret in secrets(judged, source) if secret in read]
    assert after == before
    limit_ms = attention.limits.time_limit_s * 1000
    assert all(0 <= case.time_ms < limit_ms + 500 for case in report.cases)
    assert warm.grade(attention, HONEST, seed=20).verdict == "AC"


def test_leak_would_be_read(warm: Grader, attention: Problem) -> None:
    report = warm.grade(attention, HONEST.replace(b"    scores =", b"    print('LEAK')\n    scores =", 1), seed=1)
    assert LEAK in readable(report, attention)


def test_mark_would_be_seen(warm: Grader, each_sandbox: Any) -> None:
    before = traces(each_sandbox)
    marked = Path("/tmp") / f"{MARK}-{os.getpid()}"
    marked.touch()
    try:
        assert traces(each_sandbox) != before
    finally:
        marked.unlink()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_attack_says_what_it_tries_and_where_it_was_seen(path: Path) -> None:
    head = path.read_bytes().replace(b"\0", b"").decode("utf-8", "replace")[:600]
    assert " Seen: " in head
