"""All accounts, for administrators: roles, and who may not sign in any more."""

from __future__ import annotations

from typing import get_args

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from judge.store import LastAdministrator, Role
from web import access, parts
from web.errors import Refused

blueprint = Blueprint("accounts", __name__, url_prefix="/accounts")


@blueprint.get("")
@access.needs("administrator")
def index() -> str:
    return render_template("accounts.html", accounts=parts.store().accounts(), roles=get_args(Role))


@blueprint.post("/<int:account_id>")
@access.needs("administrator")
def change(account_id: int) -> ResponseReturnValue:
    """`role` gives another role; `disabled` (1 or 0) takes or gives the right to sign in."""
    store, role, disabled = parts.store(), request.form.get("role"), request.form.get("disabled")
    if account_id >= 2**63 or store.account(account_id) is None:
        raise Refused(404, "no_account")
    if (role is not None and role not in get_args(Role)) or disabled not in (None, "0", "1"):
        raise Refused(422, "422")
    try:
        if role is not None:
            store.set_role(account_id, role)  # type: ignore[arg-type]
        if disabled is not None:
            store.set_disabled(account_id, disabled == "1")
    except LastAdministrator:
        raise Refused(409, "last_administrator") from None
    return redirect(url_for("accounts.index"), 303)
