"""The learner's own editor; the switches of language and theme for browsers without scripts."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue

from judge.model import LANGS
from web import forms, language, look, parts
from web.access import open_to_all
from web.errors import Refused

YEAR_S = 365 * 24 * 3600
blueprint = Blueprint("site", __name__)


@blueprint.get("/editor")
def editor() -> str:
    problems, _ = parts.bank().all()
    example = problems[0].slug if problems else "attention"
    return render_template("editor.html", server=request.host_url.rstrip("/"), example=example)


@blueprint.post("/language")
@open_to_all
def switch_language() -> ResponseReturnValue:
    choice = request.form.get("lang", "")
    if choice not in LANGS:
        raise Refused(422, "language")
    return _back_with(language.COOKIE, choice)


@blueprint.post("/theme")
@open_to_all
def switch_theme() -> ResponseReturnValue:
    choice = request.form.get("theme", "")
    if choice not in look.THEMES:
        raise Refused(422, "theme")
    return _back_with("theme", choice)


def _back_with(cookie: str, value: str) -> ResponseReturnValue:
    """To the page where the switch was pressed; never to another site."""
    response = redirect(forms.local(request.form.get("next", "/")), 303)
    response.set_cookie(cookie, value, max_age=YEAR_S, samesite="Strict")
    return response
