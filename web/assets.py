"""The front end's files, `/static/<name>?v=<hash>`: a new build has a new address, so browsers keep them for ever."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from flask import Flask, Response, request, send_from_directory

FOLDER = Path(__file__).parent / "static"


def init_app(app: Flask) -> None:
    app.jinja_env.globals["asset"] = address

    @app.get("/static/<path:name>")
    def static(name: str) -> Response:
        response = send_from_directory(FOLDER, name, conditional=True)
        known = request.args.get("v") == _version(FOLDER / name, (FOLDER / name).stat().st_mtime_ns)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if known else "no-cache"
        return response


def address(name: str) -> str:
    path = FOLDER / name
    return f"/static/{name}?v={_version(path, path.stat().st_mtime_ns)}"


@lru_cache(maxsize=64)
def _version(path: Path, mtime_ns: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]
