"""Sign in, sign up, sign out. The forms work without scripts."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue

from web import forms, identity, parts, signing
from web.access import open_to_all
from web.errors import Refused

blueprint = Blueprint("sign_in", __name__)


@blueprint.get("/sign-in")
def sign_in() -> ResponseReturnValue:
    return _show("sign_in.html", request.args.get("next", "/"))


@blueprint.post("/sign-in")
@open_to_all
def enter() -> ResponseReturnValue:
    return _enter("sign_in.html", signing.sign_in)


@blueprint.get("/sign-up")
def sign_up() -> ResponseReturnValue:
    return _show("sign_up.html", request.args.get("next", "/"))


@blueprint.post("/sign-up")
@open_to_all
def create() -> ResponseReturnValue:
    return _enter("sign_up.html", signing.sign_up)


@blueprint.post("/sign-out")
@open_to_all
def sign_out() -> ResponseReturnValue:
    """This browser forgets who it was; drafts that it kept for itself go too: the server has them."""
    account = identity.asker().account
    if account is not None and request.form.get("everywhere"):
        parts.store().end_sessions(account.id)
    identity.sign_out()
    response = redirect("/", 303)
    response.headers["Clear-Site-Data"] = '"storage"'
    return response


def _enter(template: str, act: Callable[[str, str], object]) -> ResponseReturnValue:
    name, target = request.form.get("name", ""), request.form.get("next", "/")
    try:
        act(name, request.form.get("password", ""))
    except Refused as refused:
        return forms.again(template, refused, name=name[:200], next=forms.local(target), joins=_joins())
    return redirect(forms.local(target), 303)


def _show(template: str, target: str) -> ResponseReturnValue:
    asker = identity.asker()
    if asker.account is not None:
        return redirect(forms.local(target), 303)
    return render_template(template, name="", next=forms.local(target), joins=_joins(), ended=asker.ended)


def _joins() -> int:
    """How many submissions of this browser will be the account's."""
    asker = identity.asker()
    if asker.account is not None or asker.ended:
        return 0
    return sum(found.attempts for found in parts.store().progress(asker.learner).values())
