"""English or Chinese. `words.json` is the one table of the pages' sentences; the front end is built from the same file.

The order: `?lang=`, then the cookie `lang` that the switch sets, then the browser's Accept-Language, then English.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from flask import Flask, g, request

from judge.model import LANGS, Lang

COOKIE = "lang"
TABLE: dict[str, tuple[str, str]] = json.loads((Path(__file__).parent / "words.json").read_text(encoding="utf-8"))


def word(key: str, lang: str, /, **fields: Any) -> str:
    """The sentence for `key` with its {fields} filled in. Raises KeyError for a key that is not in the table."""
    text = TABLE[key][lang == "zh"]
    return text.format(**fields) if fields else text


def tag(name: str, lang: str) -> str:
    """A problem's tag in words; one that is not in the table as it stands."""
    return TABLE[f"tag.{name}"][lang == "zh"] if f"tag.{name}" in TABLE else name


def current() -> Lang:
    """The language of this request."""
    if "lang" not in g:
        g.lang = _choose()
    lang: Lang = g.lang
    return lang


def _choose() -> Lang:
    liked = [tag.split("-")[0].lower() for tag, _ in request.accept_languages]  # best first
    for choice in (request.args.get("lang"), request.cookies.get(COOKIE), *liked):
        for lang in LANGS:
            if choice == lang:
                return lang
    return "en"


def init_app(app: Flask) -> None:
    def t(key: str, /, **fields: Any) -> str:
        return word(key, current(), **fields)

    app.jinja_env.globals["t"] = t
    app.jinja_env.globals["tag_word"] = lambda name: tag(name, current())

    @app.context_processor
    def language_values() -> dict[str, Any]:
        return {"lang": current(), "html_lang": "zh-Hans" if current() == "zh" else "en"}

    @app.after_request
    def vary(response: Any) -> Any:
        response.vary.update(["Accept-Language", "Cookie"])
        return response
