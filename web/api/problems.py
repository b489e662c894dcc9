"""GET /api/v1/problems   GET /api/v1/problems/{slug}"""

from __future__ import annotations

from typing import Any

from flask import Blueprint

from web import identity, language, parts, present

blueprint = Blueprint("api_problems", __name__, url_prefix="/api/v1/problems")


@blueprint.get("")
def index() -> dict[str, Any]:
    problems, _ = parts.bank().all()
    solved = parts.store().solved(identity.learner())
    return {"problems": [present.problem_summary(p, language.current(), solved.get(p.slug)) for p in problems]}


@blueprint.get("/<slug>")
def one(slug: str) -> dict[str, Any]:
    problem = parts.bank().problem(slug)
    solved = parts.store().solved(identity.learner())
    return present.problem_json(problem, language.current(), solved.get(slug))
