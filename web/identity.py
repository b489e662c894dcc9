"""Which learner asks. On loopback nobody signs in: a signed cookie makes the learner, and lasts.

key file        <data>/cookie.key, made once, mode 600; signs cookies and tokens
cookie          learner id in Flask's session; SameSite=Lax (a link from elsewhere must find the learner), HttpOnly
bearer token    the signed learner id, shown on the page "your editor", for `judge submit`
"""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path

from flask import Flask, current_app, g, request, session
from itsdangerous import BadSignature, URLSafeSerializer

from web.errors import Refused

KEY_BYTES = 32
LEARNER = re.compile(r"[0-9a-f]{16}")


def load_key(data: Path) -> str:
    """The key in the data folder; made when there is none. Two processes that start at once get the same key."""
    data.mkdir(parents=True, exist_ok=True)
    path = data / "cookie.key"
    if not path.exists():
        fresh = data / f".cookie.key.{os.getpid()}.{secrets.token_hex(4)}"
        with open(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            file.write(secrets.token_hex(KEY_BYTES))
        try:
            os.link(fresh, path)  # fails where another process was first: a half-written key is never seen
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
    key = path.read_text().strip()
    if len(key) < 2 * KEY_BYTES:
        raise RuntimeError(f"{path} holds no key; remove it to have one made (learners then get new cookies)")
    return key


def init_app(app: Flask) -> None:
    app.extensions["tokens"] = URLSafeSerializer(app.config["SECRET_KEY"], salt="bearer")


def bearer() -> str | None:
    """The learner of a bearer token; None without one. Raises Refused (401) for one that we did not sign."""
    header = request.headers.get("Authorization")
    if header is None:
        return None
    kind, _, token = header.partition(" ")
    try:
        learner = current_app.extensions["tokens"].loads(token.strip())
    except BadSignature:
        learner = None
    if kind.lower() != "bearer" or not isinstance(learner, str):
        raise Refused(401, "token")
    return learner


def learner() -> str:
    """The id of the learner who asks; a new one, with a cookie in the answer, where nobody asked before."""
    if "learner" not in g:
        g.learner = bearer() or _from_cookie()
    found: str = g.learner
    return found


def token() -> str:
    """A bearer token for the learner who asks."""
    signed = current_app.extensions["tokens"].dumps(learner())
    return signed.decode() if isinstance(signed, bytes) else signed


def _from_cookie() -> str:
    known = session.get("learner")
    if isinstance(known, str) and LEARNER.fullmatch(known):
        return known
    session["learner"] = fresh = secrets.token_hex(8)
    session.permanent = True
    return fresh
