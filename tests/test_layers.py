"""Layers can be left out to see what the others stop, never by accident; and the page says what each is for."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import expected_verdicts
from layers import LAYERS, PAGE

from judge.grading.grader import Grader
from judge.model import Problem
from sandbox import SandboxFault
from sandbox.drivers.local import LocalSandbox
from sandbox.runner import LAYERS as OURS

HOSTILE = Path(__file__).parent / "hostile"
HARMLESS = {"landlock": "wrong_answer/reads_host_files", "seccomp": "wrong_answer/shared_mappings",
            "rlimits": "wrong_answer/locks_its_memory", "capabilities": "wrong_answer/locks_its_memory",
            "descriptors": "wrong_answer/open_descriptors", "watch": "output_limit/floods_stdout"}  # fmt: skip


@pytest.fixture
def started() -> Iterator[Callable[..., LocalSandbox]]:
    """Sandboxes that are closed at the end."""
    opened: list[LocalSandbox] = []

    def start(*arguments: str) -> LocalSandbox:
        opened.append(LocalSandbox(arguments))
        return opened[-1]

    yield start
    for sandbox in opened:
        sandbox.close()


def rows() -> dict[str, str]:
    """What the page says of each layer."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    table = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ") and "`" in line]
    return {row[0]: row[2] for row in table}


@pytest.mark.parametrize("layer", LAYERS)
def test_each_layer_alone_stops_a_file_of_the_corpus(layer: str) -> None:
    names = [name.strip("`") for name in rows()[LAYERS[layer]].split(", ")]
    assert names
    assert all((HOSTILE / f"{name}.py").exists() for name in names)


def test_the_page_leaves_no_layer_out() -> None:
    assert set(LAYERS) == {*OURS, "wire"}


@pytest.mark.parametrize("layer", OURS)
def test_without_a_layer_an_attack_gets_through(
    layer: str, started: Callable[..., LocalSandbox], problem: Callable[[str], Problem]
) -> None:
    path = HOSTILE / f"{HARMLESS[layer]}.py"
    report = Grader(started("--without", layer)).grade(problem("attention"), path.read_bytes(), seed=20)
    printed = any("LEAK" in case.stdout for case in report.cases)
    assert printed or report.verdict not in expected_verdicts(path)


def test_an_unknown_layer_is_refused(started: Callable[..., LocalSandbox]) -> None:
    with pytest.raises(SandboxFault, match="invalid choice"):
        started("--without", "walls").wait_ready()


def without_landlock(*arguments: str) -> dict[str, Any]:
    script = Path(__file__).parent / "material" / "no_landlock.py"
    ran = subprocess.run([sys.executable, script, *arguments], capture_output=True, text=True, timeout=110)
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer


def test_a_kernel_without_landlock_is_refused_with_what_to_do() -> None:
    assert "--sandbox docker" in without_landlock("check")["error"]


def test_a_supervisor_without_landlock_does_not_start() -> None:
    assert "the kernel has no Landlock" in without_landlock()["error"]


def test_where_landlock_is_optional_its_absence_is_told() -> None:
    assert without_landlock("--optional", "landlock")["landlock"] == 0


def test_landlock_is_used_where_it_is_optional_and_there(started: Callable[..., LocalSandbox]) -> None:
    assert started("--optional", "landlock")._receive(60)[0]["landlock"] >= 1
