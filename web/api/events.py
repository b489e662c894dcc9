"""GET /api/v1/submissions/{id}/events: server-sent events.

snapshot    the whole submission; always the first event, so a client that missed anything is right again after it
case        one case result
status      status, place in the queue, estimate
done        the whole submission with its verdict
diagnosis   the whole submission again, when the search for a known mistake, begun with the verdict, has ended
end         nothing more will come: close
A comment every 15 s keeps proxies from closing it. Each event's id is the version of the judging. A stream lives 60 s
at most and holds no database connection; the browser then connects again by itself.
"""

from __future__ import annotations

import itertools
import json
import queue
import time
from collections.abc import Generator, Iterator
from typing import Any

from flask import Blueprint, Flask, Response, current_app

from judge.store import Store, SubmissionView
from web import identity, language, present
from web.access import readable
from web.api.submissions import is_final
from web.errors import Refused
from web.feed import Feed, Full

COMMENT_S = 15.0
QUEUE_S = 2.0
"""How often a queued submission's place is looked up."""
LIFE_S = 60.0
blueprint = Blueprint("api_events", __name__, url_prefix="/api/v1/submissions")


@blueprint.get("/<int:submission_id>/events")
def events(submission_id: int) -> Response:
    readable(submission_id)
    stream = Stream(current_app._get_current_object(), submission_id, language.current()).run()  # type: ignore[attr-defined]
    try:
        first = next(stream)
    except Full:
        raise Refused(503, "busy") from None
    return Response(
        Chained(first, stream),
        content_type="text/event-stream; charset=utf-8",
        headers={"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"},
    )


class Chained:
    """The first text and then the stream; closing it closes the stream, even if nothing was read."""

    def __init__(self, first: str, stream: Generator[str, None, None]) -> None:
        self.close = stream.close
        self.texts = itertools.chain([first], stream)

    def __iter__(self) -> Iterator[str]:
        return self.texts


class Stream:
    """One learner's view of one submission. It outlives the request's context, so it keeps what it needs."""

    def __init__(self, app: Flask, submission_id: int, lang: str) -> None:
        self.app, self.submission_id, self.lang = app, submission_id, lang
        self.learner = identity.learner()
        self.store: Store = app.extensions["store"]
        self.feed: Feed = app.extensions["feed"]

    def run(self) -> Generator[str, None, None]:
        """The events as text. Raises Full before the first."""
        ends = time.monotonic() + LIFE_S
        with self.feed.mailbox(self.submission_id, self.learner) as mailbox:
            view = self.store.submission(self.submission_id)
            assert view is not None  # submissions are never removed
            body = self.body(view)
            yield _event("snapshot", view, body)
            place = _place(body)
            spoke = time.monotonic()
            while not (is_final(view) and not view.judging.diagnosing) and time.monotonic() < ends:
                queued = view.judging.status == "queued"
                before = view
                try:
                    news = mailbox.get(timeout=QUEUE_S if queued else COMMENT_S)
                    if news is None:
                        return
                    view = news
                except queue.Empty:
                    pass
                text = "".join(self.differences(before, view))
                if queued and not text and (now := _place(self.body(view))) != place:
                    place = now
                    text = _event("status", view, place)
                if not text and time.monotonic() - spoke >= COMMENT_S:
                    text = ": still here\n\n"
                if text:
                    spoke = time.monotonic()
                    yield text
            if is_final(view):
                yield _event("end", view, {"id": self.submission_id})

    def body(self, view: SubmissionView) -> dict[str, Any]:
        with self.app.app_context():
            return present.submission_json(view, self.lang)

    def differences(self, before: SubmissionView, after: SubmissionView) -> Iterator[str]:
        again = after.judging.id != before.judging.id or len(after.cases) < len(before.cases)
        if again:  # rejudged, or taken back from a worker that died
            yield _event("snapshot", after, self.body(after))
        elif is_final(after) and not is_final(before):
            yield _event("done", after, self.body(after))
        elif is_final(after):
            if before.judging.diagnosing and not after.judging.diagnosing:
                yield _event("diagnosis", after, self.body(after))
        else:
            if after.judging.status != before.judging.status:
                yield _event("status", after, _place(self.body(after)))
            new = self.body(after)["cases"][len(before.cases) :] if len(after.cases) > len(before.cases) else ()
            for case in new:
                yield _event("case", after, case)


def _place(body: dict[str, Any]) -> dict[str, Any]:
    return {key: body[key] for key in ("id", "status", "ahead", "eta_s")}


def _event(kind: str, view: SubmissionView, data: dict[str, Any]) -> str:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"id: {view.judging.version}\nevent: {kind}\ndata: {text}\n\n"
