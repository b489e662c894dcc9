"""/account: password, tokens, sessions. Without an account, where none is needed: tokens, and the way to one."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from web import access, forms, identity, parts, signing
from web.errors import Refused

MAX_TOKENS = 20
NAME_LENGTH = 40
blueprint = Blueprint("account", __name__, url_prefix="/account")


@blueprint.get("")
def show() -> ResponseReturnValue:
    _own()
    return _page(changed="changed" in request.args)


@blueprint.post("/password")
@access.needs("learner")
def change_password() -> ResponseReturnValue:
    account = access.signed_in()
    try:
        signing.change_password(account, request.form.get("current", ""), request.form.get("password", ""))
    except Refused as refused:
        return forms.again("account.html", refused, tokens=parts.store().tokens(account.learner))
    return redirect(url_for("account.show", changed=1), 303)


@blueprint.post("/sessions")
@access.needs("learner")
def end_other_sessions() -> ResponseReturnValue:
    """Signed out everywhere but here."""
    identity.sign_in(parts.store().end_sessions(access.signed_in().id))
    return redirect(url_for("account.show", changed=1), 303)


@blueprint.post("/tokens")
def create_token() -> ResponseReturnValue:
    """The secret is in this answer and nowhere else."""
    learner = _own()
    name = " ".join(request.form.get("name", "").split())[:NAME_LENGTH] or "judge submit"
    if len(parts.store().tokens(learner)) >= MAX_TOKENS:
        raise Refused(409, "too_many_tokens", limit=MAX_TOKENS)
    made, secret = parts.store().create_token(learner, name)
    return _page(made=made, secret=secret)


@blueprint.post("/tokens/<int:token_id>/revoke")
def revoke_token(token_id: int) -> ResponseReturnValue:
    if token_id >= 2**63 or not parts.store().revoke_token(_own(), token_id):
        raise Refused(404, "no_token")
    return redirect(url_for("account.show") + "#tokens", 303)


def _own() -> str:
    """The learner whose page this is. A token makes no other tokens; where sign-in is required it takes an account."""
    asker = identity.asker()
    if asker.by_token or asker.ended or parts.config().sign_in_required:
        return access.signed_in().learner
    return asker.learner


def _page(**values: object) -> Response:
    response = make_response(render_template("account.html", tokens=parts.store().tokens(_own()), **values))
    response.headers["Cache-Control"] = "no-store"
    return response
