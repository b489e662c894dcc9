"""POST /api/v1/reveals/{slug}: the learner gives up and may see the solution. Kept; solving it stays possible."""

from __future__ import annotations

from flask import Blueprint

from web import identity, parts

blueprint = Blueprint("api_reveals", __name__, url_prefix="/api/v1/reveals")


@blueprint.post("/<slug>")
def create(slug: str) -> dict[str, float]:
    parts.bank().problem(slug)
    return {"revealed_at": parts.store().reveal(identity.learner(), slug)}
