"""Which known mistake a failure equals: also of restricted functions, of state between calls, and in part."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from judge.grading.grader import Grader
from judge.model import Problem

MATERIAL = Path(__file__).parent / "material" / "mistaken"
LONG = 20.0


def told(grader: Grader, problem: Problem, source: bytes, seed: int = 5) -> tuple[str, str | None]:
    report = grader.grade(problem, source, seed=seed)
    return report.verdict, grader.diagnose(problem, report, LONG)


@pytest.mark.parametrize(
    ("file", "slug", "verdict", "mistake"),
    [
        ("library_by_hand", "attention", "RF", "library_call"),
        ("mask_kept_by_shape", "kv-offset-mask", "WA", "mask_kept_for_s"),
        ("softmax_of_queries_no_nan", "attention", "WA", "softmax_over_queries"),
        ("half_constant", "attention", "RTE", "minus_1e9_in_half"),
        ("constant", "attention", "WA", None),
        ("other_library", "attention", "RF", None),
    ],
)
def test_mistake_is_named(
    grader: Grader, problem: Callable[[str], Problem], file: str, slug: str, verdict: str, mistake: str | None
) -> None:
    assert told(grader, problem(slug), (MATERIAL / f"{file}.py").read_bytes()) == (verdict, mistake)


def test_another_grading_is_not_explained(grader: Grader, problem: Callable[[str], Problem]) -> None:
    attention = problem("attention")
    mistake = attention.mistake("scale_missing")
    assert mistake is not None
    report = grader.grade(attention, mistake.source, seed=1)
    grader.grade(attention, mistake.source, seed=2)
    assert grader.diagnose(attention, report, LONG) is None
