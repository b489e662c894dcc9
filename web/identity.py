"""Who asks. A learner is an id that owns work; an account owns one learner, and may sign in from anywhere.

bearer token    of `judge submit`: its learner, with a learner's rights whatever the role of the account
session         account id, epoch and last visit, in Flask's signed cookie (SameSite=Lax: a link from elsewhere must
                find the learner; HttpOnly; Secure over https)
cookie          without an account: a learner id that lasts as long as the cookie
A session is over when the epoch was raised (sign out everywhere, new password, disabled) or after days without a visit.
"""

from __future__ import annotations

import re
import secrets
import time
from dataclasses import dataclass

from flask import Flask, g, request, session
from flask.sessions import SecureCookieSessionInterface

from judge.store import Account, Role
from web import parts
from web.errors import Refused

DAY_S = 24 * 3600.0
LEARNER = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True)
class Asker:
    """`ended`: the cookie is of an account whose session is over; `learner` is then a new id that owns nothing."""

    learner: str
    account: Account | None = None
    by_token: bool = False
    ended: bool = False

    @property
    def role(self) -> Role | None:
        """None without an account."""
        if self.account is None:
            return None
        return "learner" if self.by_token else self.account.role


class Sessions(SecureCookieSessionInterface):
    """Flask's, with a cookie that is Secure where the request came by https."""

    def get_cookie_secure(self, app: Flask) -> bool:
        return request.is_secure


def init_app(app: Flask) -> None:
    app.session_interface = Sessions()

    app.jinja_env.globals["asker"] = asker


def asker() -> Asker:
    """Who asks; a new learner, with a cookie in the answer, where nobody asked before. Raises Refused for a token."""
    if "asker" not in g:
        g.asker = _by_token() or _by_session() or _by_cookie()
    found: Asker = g.asker
    return found


def learner() -> str:
    """The id of the learner who asks."""
    return asker().learner


def sign_in(account: Account) -> None:
    """From here on the browser is the account's; what it did without one joins the account's work."""
    before = asker()
    if before.account is None and not before.ended and not before.by_token:
        parts.store().join(before.learner, account)
    session.clear()
    session.permanent = True
    session.update(account=account.id, epoch=account.epoch, at=time.time())
    g.asker = Asker(account.learner, account)


def sign_out() -> None:
    session.clear()
    g.pop("asker", None)


def has_bearer() -> bool:
    return "Authorization" in request.headers


def _by_token() -> Asker | None:
    if not has_bearer():
        return None
    kind, _, secret = request.headers["Authorization"].partition(" ")
    token = parts.store().token(secret.strip()) if kind.lower() == "bearer" else None
    account = parts.store().account_of(token.learner) if token else None
    if token is None or (account and account.disabled):
        raise Refused(401, "token")
    return Asker(token.learner, account, by_token=True)


def _by_session() -> Asker | None:
    number = session.get("account")
    if number is None:
        return None
    account, now = parts.store().account(number), time.time()
    idle_s = now - session.get("at", 0.0)
    if (
        account is None
        or account.disabled
        or session.get("epoch") != account.epoch
        or idle_s > parts.config().session_days * DAY_S
    ):
        return Asker(_fresh(), ended=True)
    if idle_s > DAY_S:
        session["at"] = now
    return Asker(account.learner, account)


def _by_cookie() -> Asker:
    known = session.get("learner")
    if isinstance(known, str) and LEARNER.fullmatch(known):
        # an old copy of the cookie must not open what an account protects now
        return Asker(known) if parts.store().account_of(known) is None else Asker(_fresh(), ended=True)
    session["learner"] = fresh = _fresh()
    session.permanent = True
    return Asker(fresh)


def _fresh() -> str:
    return secrets.token_hex(8)
