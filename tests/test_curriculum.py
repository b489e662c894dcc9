"""The order of learning, and the bank's own graph."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from judge.loader import load_bank, load_problem
from judge.model import STAGES, Problem
from judge.proving.gaps import gaps
from web import curriculum

ROOT = Path(__file__).resolve().parent.parent
PROBLEMS, _ = load_bank(ROOT / "problems")
BY_SLUG = {problem.slug: problem for problem in PROBLEMS}


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    return tmp_path


def made(bank: Path, slug: str, settings: str = "") -> Problem:
    if not (bank / slug).exists():
        shutil.copytree(ROOT / "tests" / "bank" / "double", bank / slug)
    (bank / slug / "problem.toml").write_text(f'title = "{slug}"\ndifficulty = "easy"\n{settings}')
    return load_problem(bank, slug)


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda p: p.slug)
def test_each_problem_comes_after_what_it_builds_on(problem: Problem) -> None:
    order = [p.slug for p in curriculum.in_order(PROBLEMS)]
    assert problem.stage is not None
    for slug in problem.builds_on:
        assert order.index(slug) < order.index(problem.slug)
        assert STAGES.index(BY_SLUG[slug].stage) <= STAGES.index(problem.stage)  # type: ignore[arg-type]


def test_the_next_problem_is_the_first_whose_prerequisites_are_solved(bank: Path) -> None:
    problems = [
        made(bank, "late", 'order = 1\nbuilds_on = ["early"]\n'),
        made(bank, "early", "order = 2\n"),
        made(bank, "third", "order = 3\n"),
    ]

    def following(**states: str) -> str | None:
        found = curriculum.next_problem(problems, states)
        return found.slug if found else None

    assert following() == "early"
    assert following(early="tried") == "early"
    assert following(early="solved") == "late"
    assert following(early="solved", late="solved") == "third"
    assert following(early="solved", late="solved", third="solved") is None


def test_after_a_problem_comes_one_behind_it(bank: Path) -> None:
    first, second, third = (made(bank, name, f"order = {n}\n") for n, name in enumerate(("first", "second", "third")))
    problems = [first, second, third]
    assert curriculum.next_problem(problems, {"second": "solved"}, after=second) is third
    assert curriculum.next_problem(problems, {"second": "solved", "third": "solved"}, after=third) is first


def test_a_circle_hides_no_problem_and_is_told(bank: Path) -> None:
    problems = [made(bank, "a", 'builds_on = ["b"]\n'), made(bank, "b", 'builds_on = ["a"]\n')]
    assert [p.slug for p in curriculum.in_order(problems)] == ["a", "b"]
    assert curriculum.next_problem(problems, {}) is problems[0]
    assert "problem.toml: `builds_on` leads in a circle back to this problem" in gaps(problems[0])


def test_what_a_published_problem_says_of_its_place(bank: Path) -> None:
    found = gaps(made(bank, "a", 'builds_on = ["gone"]\n'))
    assert "problem.toml: `builds_on` names no problem: gone" in found
    assert any("key `stage` is missing" in gap for gap in found)
    assert not [gap for gap in gaps(BY_SLUG["kv-cache"]) if "builds_on" in gap or "stage" in gap]


def test_stages_come_in_order_and_those_without_one_last(bank: Path) -> None:
    problems = [
        made(bank, "free"),
        made(bank, "masks", 'stage = "masks"\n'),
        made(bank, "base", 'stage = "foundations"\n'),
    ]
    assert [(stage, [p.slug for p in group]) for stage, group in curriculum.by_stage(problems)] == [
        ("foundations", ["base"]),
        ("masks", ["masks"]),
        (None, ["free"]),
    ]
