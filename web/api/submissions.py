"""Submissions: make, read (at once or when done), cancel. Instructors may read those of their class.

POST    /api/v1/submissions[?wait=SECONDS]      201; the same client_id again: 200 and the same submission
GET     /api/v1/submissions[?problem=SLUG]      the learner's own, newest first
GET     /api/v1/submissions/{id}[?wait=SECONDS]
GET     /api/v1/submissions/{id}/source         what was submitted, text/plain
DELETE  /api/v1/submissions/{id}                cancels what has not begun; 409 when it has
wait: the answer comes when it is done, or after that time, 30 s at most; most verdicts need no second question.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import re
import time
from typing import Any

from flask import Blueprint, Response, request

from judge import logs
from judge.store import SubmissionView
from web import body, identity, language, limits, own_inputs, parts, present
from web.access import readable
from web.errors import Refused
from web.feed import FINAL, Full

MAX_WAIT_S = 30.0
CLIENT_ID = re.compile(r"[\x21-\x7e]{1,64}")
log = logging.getLogger(__name__)
blueprint = Blueprint("api_submissions", __name__, url_prefix="/api/v1/submissions")


@blueprint.post("")
def create() -> tuple[dict[str, Any], int, dict[str, str]]:
    wait_s = _wait_s()
    fields = body.read(problem=str, source=str, samples_only=bool, client_id=str, input=dict)
    slug = body.required(fields, "problem")
    source = body.source_bytes(body.required(fields, "source"))
    client_id = fields["client_id"]
    if client_id is not None and not CLIENT_ID.fullmatch(client_id):
        raise Refused(422, "client_id")
    own_input = fields["input"]
    if own_input is not None:
        own_inputs.check(own_input)
    parts.bank().problem(slug)
    known = parts.store().submission_of_press(identity.learner(), client_id) if client_id else None
    if known is None:
        limits.room()
        limits.spend(limits.submissions(), "too_many_submissions")
        view, created = parts.store().submit(
            learner=identity.learner(),
            problem=slug,
            source=source,
            samples_only=bool(fields["samples_only"]) or own_input is not None,
            input=own_input,
            client_id=client_id,
        )
    else:
        view, created = readable(known.id), False
    number = view.submission.id
    with logs.about(number):
        log.info("%s of %s", "accepted" if created else "sent again", slug)
    if created:
        parts.wake().ring()
    if wait_s and not is_final(view):
        view = _waited(number, time.monotonic() + wait_s)
    where = {"Location": f"/api/v1/submissions/{number}"}
    return present.submission_json(view, language.current()), 201 if created else 200, where


@blueprint.get("")
def index() -> dict[str, Any]:
    views = parts.store().submissions(identity.learner(), request.args.get("problem"))
    return {"submissions": [present.summary_json(view) for view in views]}


@blueprint.get("/<int:submission_id>")
def one(submission_id: int) -> dict[str, Any]:
    wait_s = _wait_s()
    view = _waited(submission_id, time.monotonic() + wait_s) if wait_s else readable(submission_id)
    return present.submission_json(view, language.current())


@blueprint.get("/<int:submission_id>/source")
def source(submission_id: int) -> Response:
    return Response(readable(submission_id).submission.source, content_type="text/plain; charset=utf-8")


@blueprint.delete("/<int:submission_id>")
def cancel(submission_id: int) -> dict[str, Any]:
    view = readable(submission_id)
    if view.submission.learner != identity.learner():
        raise Refused(404, "no_submission")
    if not parts.store().cancel(submission_id, identity.learner()):
        raise Refused(409, "begun")
    return present.submission_json(readable(submission_id), language.current())


def is_final(view: SubmissionView) -> bool:
    """See FINAL."""
    return view.judging.status in FINAL


def _wait_s() -> float:
    text = request.args.get("wait", "0")
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not seconds >= 0:
        raise Refused(400, "wait")
    return min(seconds, MAX_WAIT_S)


def _waited(submission_id: int, until: float) -> SubmissionView:
    """When it is final or `until` is over; at once where too many wait already."""
    try:
        with parts.feed().mailbox(submission_id, identity.learner(), steps=False) as mailbox:
            view = readable(submission_id)
            with contextlib.suppress(queue.Empty):
                while not is_final(view) and (left := until - time.monotonic()) > 0:
                    news = mailbox.get(timeout=left)
                    if news is None:
                        break
                    view = news
            return view
    except Full:
        return readable(submission_id)
