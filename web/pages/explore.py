"""The explorers: pages that compute in the browser. Their state is in the address; nothing is stored."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, render_template

from web import language, parts

EXPLORERS = ("masks", "lookup", "cost")
blueprint = Blueprint("explore", __name__, url_prefix="/explore")


@blueprint.get("")
def index() -> str:
    return render_template("explorers.html", explorers=[(name, _problems(name)) for name in EXPLORERS])


@blueprint.get("/<name>")
def one(name: str) -> str:
    if name not in EXPLORERS:
        abort(404)
    problems = _problems(name)
    return render_template("explorer.html", name=name, problems=problems, page={"explorer": name, "problems": problems})


def _problems(name: str) -> list[dict[str, Any]]:
    """Those that link to this explorer, with the state that they link to."""
    problems, _ = parts.bank().all()
    asked = [(problem, *problem.explorer.partition("?")) for problem in problems if problem.explorer]
    return [
        {"slug": problem.slug, "title": problem.title[language.current()], "query": query}
        for problem, explorer, _, query in asked
        if explorer == name
    ]
