"""POST /api/v1/sign-in {"name", "password"}: for a page whose session has ended, beside the work that it holds."""

from __future__ import annotations

from flask import Blueprint

from web import body, signing
from web.access import open_to_all

blueprint = Blueprint("api_sign_in", __name__, url_prefix="/api/v1/sign-in")


@blueprint.post("")
@open_to_all
def sign_in() -> dict[str, object]:
    fields = body.read(name=str, password=str)
    account = signing.sign_in(body.required(fields, "name"), body.required(fields, "password"))
    return {"account": {"id": account.id, "name": account.name}}
