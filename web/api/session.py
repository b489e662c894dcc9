"""GET /api/v1/session: a CSRF token for a page whose cookie was lost. Other sites cannot read it."""

from __future__ import annotations

from flask import Blueprint
from flask_wtf.csrf import generate_csrf

from web import identity

blueprint = Blueprint("api_session", __name__, url_prefix="/api/v1/session")


@blueprint.get("")
def session() -> dict[str, str]:
    identity.learner()
    return {"csrf": generate_csrf()}
