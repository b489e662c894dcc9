"""The list of problems with its filters. They are in the address, so they survive Back and can be shared.

q            words that title (either language), slug, names or tags must all contain
state, difficulty, stage, tag    repeated: any of the values given for one of them, and all of them together
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from judge.model import STAGES, Problem
from web import answering, curriculum, identity, language, parts

STATES = ("new", "tried", "solved")
DIFFICULTIES = ("easy", "medium", "hard")
MAX_SEARCH = 100
blueprint = Blueprint("problem_list", __name__)


@dataclass(frozen=True)
class Choice:
    """A value of a facet, and how many problems it would show beside the other facets' choices."""

    value: str
    chosen: bool
    count: int


@dataclass(frozen=True)
class Filters:
    """What the learner asked to see. `states` tells each problem's own state."""

    search: str
    chosen: Mapping[str, frozenset[str]]
    states: Mapping[str, str] = field(repr=False)

    def values(self, problem: Problem) -> dict[str, frozenset[str]]:
        return {
            "state": frozenset([self.states.get(problem.slug, "new")]),
            "difficulty": frozenset([problem.difficulty]),
            "stage": frozenset([problem.stage] if problem.stage else []),
            "tag": frozenset(problem.tags),
        }

    def shows(self, problem: Problem, beside: str = "") -> bool:
        """Whether the problem fits; the facet `beside` is not asked."""
        values = self.values(problem)
        if any(chosen and facet != beside and not chosen & values[facet] for facet, chosen in self.chosen.items()):
            return False
        words = _folded(self.search).split()
        return not words or all(word in _searched(problem) for word in words)

    def choices(self, facet: str, problems: Sequence[Problem]) -> list[Choice]:
        """The values that this facet has in the bank."""
        shown = [self.values(p)[facet] for p in problems if self.shows(p, beside=facet)]
        there = {value for p in problems for value in self.values(p)[facet]} | self.chosen[facet]
        usual = {"state": STATES, "difficulty": DIFFICULTIES, "stage": STAGES}.get(facet, tuple(sorted(there)))
        return [Choice(v, v in self.chosen[facet], sum(v in s for s in shown)) for v in usual if v in there]

    @property
    def any(self) -> bool:
        return bool(self.search or any(self.chosen.values()))


@blueprint.get("/")
def index() -> str:
    problems, faults = parts.bank().all()
    states = parts.store().solved(identity.learner())
    filters = _asked(problems, states)
    return render_template(
        "problems.html",
        problems=[problem for problem in problems if filters.shows(problem)],
        total=len(problems),
        solved_count=sum(states.get(problem.slug) == curriculum.SOLVED for problem in problems),
        faults=[*faults, *parts.bank().quizzes()[1]],
        quizzes=answering.summaries(language.current()),
        states=states,
        filters=filters,
        facets={facet: filters.choices(facet, problems) for facet in filters.chosen},
        next=curriculum.next_problem(problems, states),
    )


@blueprint.get("/problems/")
def old_index() -> ResponseReturnValue:
    return redirect(url_for("problem_list.index"))


def _asked(problems: Sequence[Problem], states: Mapping[str, str]) -> Filters:
    """The filters of this request; values that no problem could have are left out."""
    known = {
        "state": frozenset(STATES),
        "difficulty": frozenset(DIFFICULTIES),
        "stage": frozenset(STAGES),
        "tag": frozenset(tag for problem in problems for tag in problem.tags),
    }
    chosen = {facet: values & frozenset(request.args.getlist(facet)) for facet, values in known.items()}
    return Filters(request.args.get("q", "")[:MAX_SEARCH].strip(), chosen, states)


def _searched(problem: Problem) -> str:
    tags = [language.tag(tag, lang) for tag in problem.tags for lang in ("en", "zh")]
    texts = (problem.title["en"], problem.title["zh"], problem.slug, *problem.names, *problem.tags, *tags)
    return _folded(" ".join(texts))


def _folded(text: str) -> str:
    """Full-width letters, case and hyphens make no difference."""
    return unicodedata.normalize("NFKC", text).casefold().replace("-", " ").replace("_", " ")
