"""GET /api/v1/session: who is signed in, and a CSRF token for a page whose cookie was lost; not for other sites."""

from __future__ import annotations

from flask import Blueprint
from flask_wtf.csrf import generate_csrf

from web import identity

blueprint = Blueprint("api_session", __name__, url_prefix="/api/v1/session")


@blueprint.get("")
def session() -> dict[str, object]:
    account = identity.asker().account
    return {"csrf": generate_csrf(), "account": {"id": account.id, "name": account.name} if account else None}
