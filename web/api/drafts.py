"""Unsent text of the editor, kept per learner and problem; never judged.

GET     /api/v1/drafts/{slug}                   200 with ETag, or 404 when nothing was saved
PUT     /api/v1/drafts/{slug}                   {"text", "reason"?} with If-Match: ETAG of the draft that was edited;
        none for the first one. 412 with the stored draft as `current` when it is another; nothing is lost
GET     /api/v1/drafts/{slug}/versions          the texts it had, newest first, without the texts themselves
GET     /api/v1/drafts/{slug}/versions/{id}     one of them, text/plain
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, cast

from flask import Blueprint, Response, jsonify, request

from judge.store import Draft, DraftConflict, DraftReason
from web import body, errors, identity, language, limits, parts
from web.errors import Refused

REASONS = ("typed", "reset", "restored", "uploaded")
"""Why a text may be saved by the editor."""
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
    fields = body.read(text=str, reason=str)
    text = body.required(fields, "text")
    body.source_bytes(text)
    reason = fields["reason"] or "typed"
    if reason not in REASONS:
        raise Refused(422, "draft_reason", reasons=", ".join(REASONS))
    if parts.store().draft(identity.learner(), slug) is None:
        limits.spend(limits.new_drafts(), "too_many_drafts")
    try:
        return _answer(parts.store().save_draft(identity.learner(), slug, text, _if_match(), cast(DraftReason, reason)))
    except DraftConflict as conflict:
        current = draft_json(conflict.current) if conflict.current else None
        detail = language.word("error.draft_conflict", language.current())
        return errors.answer(412, "draft_conflict", detail, {"current": current})


@blueprint.get("/<slug>/versions")
def versions(slug: str) -> dict[str, Any]:
    parts.bank().problem(slug)
    return {"versions": [asdict(version) for version in parts.store().draft_versions(identity.learner(), slug)]}


@blueprint.get("/<slug>/versions/<int:version_id>")
def version(slug: str, version_id: int) -> Response:
    parts.bank().problem(slug)
    text = parts.store().version_text(identity.learner(), version_id) if version_id < 2**63 else None
    if text is None:
        raise Refused(404, "no_version")
    return Response(text, content_type="text/plain; charset=utf-8")


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
