"""The order of learning, and where a learner stands in it: what is next, what a problem builds on and leads to.

Problems come by stage, inside a stage by `order`, and each after those that it builds on. A draft may name unknown
slugs or build on itself in a circle: that breaks nothing here, and `judge verify` tells it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from judge.model import STAGES, Problem

SOLVED = "solved"


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """All of them, in the order in which they are best learnt."""
    left = sorted(problems, key=lambda p: (_stage_number(p), p.order, p.slug))
    ordered: list[Problem] = []
    while left:
        waiting = {p.slug for p in left}
        first = next((p for p in left if not waiting.intersection(p.builds_on)), left[0])
        left.remove(first)
        ordered.append(first)
    return ordered


def by_stage(problems: Iterable[Problem]) -> list[tuple[str | None, list[Problem]]]:
    """The stages that have problems, each with its own in order; last those of no stage."""
    ordered = in_order(problems)
    groups = [(stage, [p for p in ordered if p.stage == stage]) for stage in (*STAGES, None)]
    return [(stage, group) for stage, group in groups if group]


def next_problem(
    problems: Sequence[Problem], states: Mapping[str, str], after: Problem | None = None
) -> Problem | None:
    """The first unsolved problem that is ready, rather one behind `after`; None when all are solved."""
    ordered = in_order(problems)
    start = ordered.index(after) + 1 if after in ordered else 0
    unsolved = [p for p in ordered[start:] + ordered[:start] if states.get(p.slug) != SOLVED]
    ready = (p for p in unsolved if not missing(p, problems, states))
    return next(ready, unsolved[0] if unsolved else None)


def missing(problem: Problem, problems: Sequence[Problem], states: Mapping[str, str]) -> list[Problem]:
    """What the problem builds on and is not solved yet."""
    return [p for p in builds_on(problem, problems) if states.get(p.slug) != SOLVED]


def builds_on(problem: Problem, problems: Sequence[Problem]) -> list[Problem]:
    return [p for p in problems if p.slug in problem.builds_on and p.slug != problem.slug]


def leads_to(problem: Problem, problems: Sequence[Problem]) -> list[Problem]:
    return [p for p in problems if problem.slug in p.builds_on and p.slug != problem.slug]


def _stage_number(problem: Problem) -> int:
    return STAGES.index(problem.stage) if problem.stage else len(STAGES)
