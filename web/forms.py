"""Forms of the pages: where to go afterwards, and an answer that shows the form again with the reason."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from flask import Response, make_response, render_template

from web import language
from web.errors import Refused


def local(target: str) -> str:
    """The path of this site that `target` names; "/" for anything that leads elsewhere."""
    try:
        parts = urlsplit(target)
    except ValueError:
        return "/"
    if not parts.path.startswith("/") or parts.path.startswith(("//", "/\\")):
        return "/"
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def again(template: str, refused: Refused, **values: Any) -> Response:
    """The page with its form and, as `refused`, the sentence that says what was wrong."""
    sentence = language.word(f"error.{refused.code}", language.current(), **refused.fields)
    response = make_response(render_template(template, refused=sentence, **values), refused.status)
    if refused.retry_s is not None:
        response.headers["Retry-After"] = str(refused.retry_s)
    return response
