"""GET, PUT /api/v1/drafts/{slug}: unsent text of the editor, kept per learner and problem; never judged.

GET     200 with ETag, or 404 when nothing was saved
PUT     {"text"} with If-Match: ETAG of the draft that was edited, or If-None-Match: * for the first one.
        412 with the stored draft as `current` when it is another: nothing is overwritten silently
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, request

from judge.store import Draft, DraftConflict
from web import body, errors, identity, language, parts
from web.errors import Refused

blueprint = Blueprint("api_drafts", __name__, url_prefix="/api/v1/drafts")


@blueprint.get("/<slug>")
def read(slug: str) -> Response:
    parts.bank().problem(slug)
    draft = parts.store().draft(identity.learner(), slug)
    if draft is None:
        raise Refused(404, "no_draft")
    return _answer(draft)


@blueprint.put("/<slug>")
def write(slug: str) -> Response:
    parts.bank().problem(slug)
    text = body.required(body.read(text=str), "text")
    body.source_bytes(text)
    try:
        return _answer(parts.store().save_draft(identity.learner(), slug, text, _if_match()))
    except DraftConflict as conflict:
        current = draft_json(conflict.current) if conflict.current else None
        detail = language.word("error.draft_conflict", language.current())
        return errors.answer(412, "draft_conflict", detail, {"current": current})


def draft_json(draft: Draft) -> dict[str, Any]:
    return {"text": draft.text, "etag": draft.etag, "saved_at": draft.saved_at}


def _if_match() -> str | None:
    """The tag of the draft that was edited; None for none yet. Raises Refused (412) for a tag that is none of ours."""
    header = request.headers.get("If-Match")
    if header is None:
        return None
    tag = header.strip().removeprefix('"').removesuffix('"')
    if not tag.isalnum():
        raise Refused(412, "if_match")
    return tag


def _answer(draft: Draft) -> Response:
    response = jsonify(draft_json(draft))
    response.set_etag(draft.etag)
    return response
