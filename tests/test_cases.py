"""Submissions collected from public reports get the verdicts of `cases/index.tsv`, never JE."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import with_little_memory

from judge.grading.grader import Grader
from judge.messages import describe
from judge.model import Problem

CASES = Path(__file__).resolve().parent / "cases"
ROWS = list(csv.DictReader((CASES / "index.tsv").open(encoding="utf-8"), delimiter="\t"))
STRAY = ("filler.bin", "conftest.py", "sitecustomize.py", "pytest.ini")


@pytest.mark.parametrize("row", [pytest.param(row, id=row["name"]) for row in ROWS])
def test_case_gets_its_verdict(row: dict[str, str], each_grader: Grader, problem: Callable[[str], Problem]) -> None:
    places = [Path.cwd(), CASES, Path("/tmp"), Path("/var/tmp"), Path("/dev/shm")]
    stray = [place / name for place in places for name in STRAY if not (place / name).exists()]
    judged = problem(row["problem"])
    judged = with_little_memory(judged) if "MLE" in row["expected"] else judged
    report = each_grader.grade(judged, (CASES / f"{row['name']}.py").read_bytes(), seed=7)
    failure = report.first_failure
    told = f"{failure.name}: {describe(failure.finding)}" if failure else describe(report.finding)
    assert report.verdict in row["expected"].split("|"), told + report.internal
    assert "JE" not in {case.verdict for case in report.cases}
    assert not [path for path in stray if path.exists()]


def test_index_lists_every_file() -> None:
    assert sorted(row["name"] for row in ROWS) == sorted(path.stem for path in CASES.glob("*.py"))
