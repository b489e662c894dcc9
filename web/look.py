"""How a page looks in this browser, from cookies: the first paint is right without a script.

theme   "light" or "dark"; without it the system's
split   "42-40": per cent of the width for the statement, and of the height for the result
"""

from __future__ import annotations

import re
from typing import Any

from flask import Flask, request

THEMES = ("", "light", "dark")
"""In the order of the switch; empty: as the system."""
SPLIT = re.compile(r"(\d{1,2})-(\d{1,2})", re.ASCII)


def theme() -> str:
    choice = request.cookies.get("theme", "")
    return choice if choice in THEMES else ""


def split() -> tuple[int, int] | None:
    """Where this browser's dividers stand; None: where the style sheet puts them."""
    found = SPLIT.fullmatch(request.cookies.get("split", ""))
    return (int(found[1]), int(found[2])) if found else None


def init_app(app: Flask) -> None:
    @app.context_processor
    def look_values() -> dict[str, Any]:
        now = theme()
        return {"theme": now, "next_theme": THEMES[(THEMES.index(now) + 1) % len(THEMES)], "split": split()}
