"""The learning path: all problems by stage, with lines from each to those that build on it.

The lines are drawn in the units of the style sheet (`styles/path.css`): cards of a fixed size, at most `ACROSS` in a
row. Narrow screens show the same list without lines.
"""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, render_template

from judge.model import STAGES, Problem
from web import answering, curriculum, identity, language, parts

ACROSS = 4
WIDTH, HEIGHT, GAP_X, GAP_Y = 200, 76, 28, 44
Groups = list[tuple[str | None, list[Problem]]]
"""The stages in order, each with its problems."""
blueprint = Blueprint("path", __name__)


@dataclass(frozen=True)
class Line:
    """From a problem to one that builds on it: `d` of an SVG path."""

    start: str
    end: str
    d: str


@blueprint.get("/path")
def index() -> str:
    problems, _ = parts.bank().all()
    states = parts.store().solved(identity.learner())
    quizzes = answering.summaries(language.current())
    stages = _with(curriculum.by_stage(problems), {quiz["stage"] for quiz in quizzes})
    places = _places(stages)
    return render_template(
        "path.html",
        stages=stages,
        quizzes=quizzes,
        states=states,
        next=curriculum.next_problem(problems, states),
        missing={p.slug: curriculum.missing(p, problems, states) for p in problems},
        builds_on={p.slug: curriculum.builds_on(p, problems) for p in problems},
        lines=[
            Line(before.slug, p.slug, _curve(places[before.slug], places[p.slug]))
            for p in problems
            for before in curriculum.builds_on(p, problems)
        ],
        size=(ACROSS * (WIDTH + GAP_X) - GAP_X, (max(y for _, y in places.values()) + 1) * (HEIGHT + GAP_Y) - GAP_Y)
        if places
        else (0, 0),
        total=len(problems),
        solved_count=sum(states.get(p.slug) == curriculum.SOLVED for p in problems),
    )


def _with(groups: Groups, quizzed: set[str]) -> Groups:
    """Also the stages that have a quiz and no problem yet."""
    known = dict(groups)
    stages = [stage for stage in (*STAGES, None) if stage in known or stage in quizzed]
    return [(stage, known.get(stage, [])) for stage in stages]


def _places(stages: Groups) -> dict[str, tuple[int, int]]:
    """slug -> (column, row)."""
    places: dict[str, tuple[int, int]] = {}
    top = 0
    for _, group in stages:
        for number, problem in enumerate(group):
            places[problem.slug] = number % ACROSS, top + number // ACROSS
        top += max(1, -(-len(group) // ACROSS))
    return places


def _curve(start: tuple[int, int], end: tuple[int, int]) -> str:
    """Beside each other: straight; in one row: an arc above it; else from the lower edge to the upper."""
    (left, top), (right, bottom) = ((x * (WIDTH + GAP_X), y * (HEIGHT + GAP_Y)) for x, y in (start, end))
    if start[1] == end[1] and end[0] - start[0] == 1:
        return f"M{left + WIDTH} {top + HEIGHT // 2}H{right}"
    half = WIDTH // 2
    if start[1] >= end[1]:
        return (
            f"M{left + half} {top}C{left + half} {top - GAP_Y} {right + half} {bottom - GAP_Y} {right + half} {bottom}"
        )
    x1, y1, x2, y2 = left + half, top + HEIGHT, right + half, bottom
    bend = max(GAP_Y * 3 // 4, (y2 - y1) // 3)
    return f"M{x1} {y1}C{x1} {y1 + bend} {x2} {y2 - bend} {x2} {y2}"
