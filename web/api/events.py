"""GET /api/v1/submissions/{id}/events: server-sent events.

snapshot    the whole submission; always the first event, so a client that missed anything is right again after it
case        one case result
status      status, place in the queue, estimate
done        the whole submission with its verdict
diagnosis   the whole submission again, when a known mistake was found after the verdict
end         nothing more will come: close
A comment every 15 s keeps proxies from closing it. Each event's id is the version of the judging. A stream lives 60 s at
most and holds no database connection; the browser then connects again by itself.
"""

from __future__ import annotations

import json
import queue
import time
from collections.abc import Iterator
from typing import Any

from flask import Blueprint, Response, stream_with_context

from judge.messages import case_json
from judge.store import SubmissionView
from web import language, parts, present
from web.api.submissions import is_final, own
from web.errors import Refused
from web.feed import Full

COMMENT_S = 15.0
QUEUE_S = 2.0
"""How often a queued submission's place is looked up."""
LIFE_S = 60.0
blueprint = Blueprint("api_events", __name__, url_prefix="/api/v1/submissions")


@blueprint.get("/<int:submission_id>/events")
def events(submission_id: int) -> Response:
    own(submission_id)
    stream = _events(submission_id, language.current())
    try:
        first = next(stream)
    except Full:
        raise Refused(503, "busy") from None

    def rest() -> Iterator[str]:
        yield first
        yield from stream

    return Response(
        stream_with_context(rest()),
        content_type="text/event-stream; charset=utf-8",
        headers={"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"},
    )


def _events(submission_id: int, lang: str) -> Iterator[str]:
    ends = time.monotonic() + LIFE_S
    with parts.feed().mailbox(submission_id) as mailbox:
        view = own(submission_id)
        body = present.submission_json(view, lang)
        yield _event("snapshot", view, body)
        place = (view.judging.status, body["ahead"])
        spoke = time.monotonic()
        while not (is_final(view) and not view.judging.diagnosing) and time.monotonic() < ends:
            before = view
            try:
                news = mailbox.get(timeout=QUEUE_S if view.judging.status == "queued" else COMMENT_S)
                if news is None:
                    return
                view = news
            except queue.Empty:
                pass
            sent = list(_differences(before, view, lang))
            if view.judging.status == "queued":
                body = present.submission_json(view, lang)
                if (view.judging.status, body["ahead"]) != place:
                    place = (view.judging.status, body["ahead"])
                    sent.append(_event("status", view, _place(body)))
            if not sent and time.monotonic() - spoke >= COMMENT_S:
                sent = [": still here\n\n"]
            if sent:
                spoke = time.monotonic()
                yield "".join(sent)
        if is_final(view):
            yield _event("end", view, {"id": submission_id})


def _differences(before: SubmissionView, after: SubmissionView, lang: str) -> Iterator[str]:
    problem = present.problem_of(after.submission.problem)
    again = after.judging.id != before.judging.id or len(after.cases) < len(before.cases)
    if again:  # rejudged, or taken back from a worker that died
        yield _event("snapshot", after, present.submission_json(after, lang))
    elif is_final(after) and not is_final(before):
        yield _event("done", after, present.submission_json(after, lang))
    elif is_final(after):
        if after.judging.diagnosis != before.judging.diagnosis:
            yield _event("diagnosis", after, present.submission_json(after, lang))
    else:
        if after.judging.status != before.judging.status:
            yield _event("status", after, _place(present.submission_json(after, lang)))
        for case in after.cases[len(before.cases) :]:
            yield _event("case", after, case_json(case, problem, lang))


def _place(body: dict[str, Any]) -> dict[str, Any]:
    return {key: body[key] for key in ("id", "status", "ahead", "eta_s")}


def _event(kind: str, view: SubmissionView, data: dict[str, Any]) -> str:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"id: {view.judging.version}\nevent: {kind}\ndata: {text}\n\n"
