"""A problem with its editor, and what is shown once it is solved."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, render_template

from judge.messages import GROUP_WORDS, VERDICT_WORDS
from judge.model import MAX_SOURCE_BYTES, Problem
from web import guard, identity, language, parts, present, statement
from web.api.drafts import draft_json

blueprint = Blueprint("problems", __name__)


@blueprint.get("/problems/<slug>")
def one(slug: str) -> str:
    problem = parts.bank().problem(slug)
    learner = identity.learner()
    markdown = problem.statement[language.current()]
    before, after = parts.bank().neighbours(slug)
    place = present.place_json(problem, learner, language.current())
    return render_template(
        "problem.html",
        problem=problem,
        groups={name: words[language.current()] for name, words in GROUP_WORDS.items()},
        statement=statement.render(markdown),
        hints=statement.hints(markdown),
        open=is_open(slug, learner),
        before=before,
        after=after,
        place=place,
        page=_page_data(problem, learner) | {"next": place["next"]},
    )


@blueprint.get("/problems/<slug>/explanation")
def explanation(slug: str) -> str:
    """Only for those who solved it or gave up: it gives the answer away."""
    problem = parts.bank().problem(slug)
    open_ = is_open(slug, identity.learner())
    reference = problem.folder / "reference.py"
    return render_template(
        "explanation.html",
        problem=problem,
        open=open_,
        explanation=statement.render(problem.explanation[language.current()]) if open_ else "",
        reference=statement.highlight(reference.read_text(encoding="utf-8")) if open_ else "",
    )


def is_open(slug: str, learner: str) -> bool:
    """The learner may see the explanation and the reference: the problem is solved, or given up."""
    store = parts.store()
    return store.solved(learner).get(slug) == "solved" or slug in store.reveals(learner)


def _page_data(problem: Problem, learner: str) -> dict[str, Any]:
    """What the front end starts from: the draft too, so the editor opens with the right text at once."""
    draft = parts.store().draft(learner, problem.slug)
    newest = parts.store().submissions(learner, problem.slug, limit=1)
    progress = parts.store().progress(learner).get(problem.slug)
    return {
        "slug": problem.slug,
        "title": problem.title[language.current()],
        "starter": problem.starter,
        "cases": [{"name": c.name, "title": c.title[language.current()], "sample": c.sample} for c in problem.cases],
        "draft": draft_json(draft) if draft else None,
        "newest": newest[0].submission.id if newest else None,
        "best_ms": progress.best_ms if progress else None,
        "verdicts": VERDICT_WORDS,
        "max_bytes": MAX_SOURCE_BYTES,
        "nonce": guard.nonce(),
    }
