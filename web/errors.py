"""Refusals. A handler raises `Refused(status, code)`; the sentence comes from the table of words as `error.<code>`.

The API answers `application/problem+json`: type, title, status, detail, code. People get a page. No traceback of ours
reaches either.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from flask import Flask, Response, current_app, redirect, render_template, request
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException

from judge.loader import ProblemError, UnknownProblem
from web import language

SIGN_IN_FIRST = ("sign_in", "session_ended")
"""Codes that a person is led to the sign-in page for."""
API_PATHS = ("/api/", "/healthz", "/readyz", "/metrics")


class Refused(Exception):
    """The request is refused: HTTP `status`, `code` as in `error.<code>`, `fields` for its sentence.

    `retry_s`: seconds after which it would be served.
    """

    def __init__(self, status: int, code: str, *, retry_s: int | None = None, **fields: Any) -> None:
        self.status, self.code, self.retry_s, self.fields = status, code, retry_s, fields
        super().__init__(code)


def for_api() -> bool:
    return request.path.startswith(API_PATHS)


def answer(status: int, code: str, detail: str, extra: dict[str, Any] | None = None) -> Response:
    """The refusal as the client asked for it."""
    title = HTTPStatus(status).phrase
    if for_api():
        body = {
            "type": "about:blank",
            "title": title,
            "status": status,
            "detail": detail,
            "code": code,
            **(extra or {}),
        }
        return Response(json.dumps(body, ensure_ascii=False), status, content_type="application/problem+json")
    values: dict[str, Any] = {"status": status, "detail": detail}
    if code in ("host", "origin", "token"):
        values |= {"csrf_token": str, "asker": lambda: None}  # no cookie for a page of another site
    return Response(render_template("error.html", **values), status, content_type="text/html; charset=utf-8")


def init_app(app: Flask) -> None:
    @app.errorhandler(Refused)
    def refused(error: Refused) -> Response:
        if error.code in SIGN_IN_FIRST and not for_api():
            back = request.full_path.removesuffix("?") if request.method == "GET" else ""
            return redirect(f"/sign-in?{urlencode({'next': back})}" if back else "/sign-in", 303)  # type: ignore[return-value]
        response = answer(
            error.status, error.code, language.word(f"error.{error.code}", language.current(), **error.fields)
        )
        if error.status == 401:
            response.headers["WWW-Authenticate"] = "Bearer"
        if error.retry_s is not None:
            response.headers["Retry-After"] = str(error.retry_s)
        return response

    @app.errorhandler(UnknownProblem)
    def unknown(error: UnknownProblem) -> Response:
        return refused(Refused(404, "unknown_problem", slug=error.slug[:80]))

    @app.errorhandler(ProblemError)
    def broken(error: ProblemError) -> Response:
        current_app.logger.error("problem folder does not load: %s", error)
        return refused(Refused(500, "broken_problem", fault=str(error)))

    @app.errorhandler(CSRFError)
    def csrf(error: CSRFError) -> Response:
        return refused(Refused(403, "csrf"))

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> Response:
        status = error.code or 500
        if error.response is not None or status < 400:
            return error.get_response()  # type: ignore[return-value]
        key = f"error.{status}"
        detail = language.word(key if key in language.TABLE else "error.500", language.current())
        response = answer(status, f"http_{status}", detail)
        for name, value in error.get_headers():
            if name == "Allow":
                response.headers[name] = value
        return response

    @app.errorhandler(Exception)
    def fault(error: Exception) -> Response:
        current_app.logger.exception("%s %s failed", request.method, request.path)
        return answer(500, "http_500", language.word("error.500", language.current()))
