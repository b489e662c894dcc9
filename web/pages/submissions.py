"""A learner's own submissions: the list for one problem, and one with its source and its result, for teachers too."""

from __future__ import annotations

from flask import Blueprint, render_template

from judge.messages import VERDICT_WORDS
from web import identity, language, parts, present, statement
from web.access import readable

SHOWN = 100
blueprint = Blueprint("submissions", __name__)


@blueprint.get("/problems/<slug>/submissions")
def index(slug: str) -> str:
    problem = parts.bank().problem(slug)
    views = parts.store().submissions(identity.learner(), slug, limit=SHOWN)
    rows = [present.summary_json(view) for view in views]
    return render_template("submissions.html", problem=problem, rows=rows, verdicts=VERDICT_WORDS)


@blueprint.get("/submissions/<int:submission_id>")
def one(submission_id: int) -> str:
    view = readable(submission_id)
    problem = present.problem_of(view.submission.problem)
    source = view.submission.source.decode("utf-8", "replace")
    shown = problem.samples if view.submission.samples_only else problem.cases
    page = {
        "slug": problem.slug,
        "title": problem.title[language.current()],
        "cases": [{"name": c.name, "title": c.title[language.current()], "sample": c.sample} for c in shown],
        "newest": submission_id,
        "verdicts": VERDICT_WORDS,
    }
    own = view.submission.learner == identity.learner()
    return render_template(
        "submission.html",
        owner=None if own else parts.store().account_of(view.submission.learner),
        problem=problem,
        row=present.summary_json(view),
        lines=statement.highlight(source.removesuffix("\n")).split("\n"),
        page=page,
    )
