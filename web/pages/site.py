"""The learner's own editor and its token; the language switch for browsers without scripts."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue

from judge.model import LANGS
from web import identity, language, parts
from web.errors import Refused

YEAR_S = 365 * 24 * 3600
blueprint = Blueprint("site", __name__)


@blueprint.get("/editor")
def editor() -> str:
    problems, _ = parts.bank().all()
    example = problems[0].slug if problems else "attention"
    return render_template("editor.html", token=identity.token(), server=request.host_url.rstrip("/"), example=example)


@blueprint.post("/language")
def switch() -> ResponseReturnValue:
    choice = request.form.get("lang", "")
    if choice not in LANGS:
        raise Refused(422, "language")
    target = urlsplit(request.form.get("next", "/"))
    local = target.path if target.path.startswith("/") and not target.path.startswith(("//", "/\\")) else "/"
    response = redirect(local, 303)
    response.set_cookie(language.COOKIE, choice, max_age=YEAR_S, samesite="Strict")
    return response
