"""The JSON body of a request, checked: every fault is refused with its reason before anything is stored."""

from __future__ import annotations

import json
from typing import Any

from flask import request

from judge.model import MAX_SOURCE_BYTES
from web.errors import Refused


def read(**kinds: type) -> dict[str, Any]:
    """The body as an object with these keys; a key that is missing or null is None. Raises Refused."""
    raw = request.get_data(cache=False)
    try:
        body = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Refused(400, "not_utf8", byte=error.start) from None
    except (ValueError, RecursionError):
        raise Refused(400, "not_json") from None
    if not isinstance(body, dict):
        raise Refused(422, "not_object")
    if any(_has_surrogate(text) for pair in body.items() for text in pair if text is not body.get("source")):
        raise Refused(422, "surrogate", line=1)
    for key, value in body.items():
        if key not in kinds:
            raise Refused(422, "unknown_key", key=key[:80], known=", ".join(kinds))
        if value is not None and type(value) is not kinds[key]:
            raise Refused(422, "wrong_kind", key=key, kind=kinds[key].__name__)
    return {key: body.get(key) for key in kinds}


def _has_surrogate(value: object) -> bool:
    return isinstance(value, str) and any("\ud800" <= character <= "\udfff" for character in value)


def required(body: dict[str, Any], key: str) -> Any:
    if body[key] is None:
        raise Refused(422, "missing_key", key=key)
    return body[key]


def source_bytes(text: str) -> bytes:
    """The text as UTF-8. Refuses more than 64 KiB (413), NUL and half a surrogate pair, which is no character (422)."""
    try:
        source = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise Refused(422, "surrogate", line=text.count("\n", 0, error.start) + 1) from None
    if len(source) > MAX_SOURCE_BYTES:
        raise Refused(413, "too_long", size=len(source), limit=MAX_SOURCE_BYTES)
    if b"\0" in source:
        raise Refused(422, "nul", line=source.count(b"\n", 0, source.index(b"\0")) + 1)
    return source
