"""The front end's files, `/static/<name>?v=<hash>`: a new build has a new address, so browsers keep them for ever.

Scripts, styles and pictures are sent compressed, once made for each build. Pages are not: they hold a CSRF token, whose
bytes could be told from the sizes of compressed answers.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from functools import lru_cache
from pathlib import Path

from flask import Flask, Response, request, send_from_directory

FOLDER = Path(__file__).parent / "static"
PACKED = (".js", ".css", ".svg")


def init_app(app: Flask) -> None:
    app.jinja_env.globals["asset"] = address

    @app.get("/static/<path:name>")
    def static(name: str) -> Response:
        response = send_from_directory(FOLDER, name, conditional=True)
        if name.endswith(PACKED) and request.accept_encodings["gzip"] and "Range" not in request.headers:
            response = _packed_answer(FOLDER / name)
        response.vary.add("Accept-Encoding")
        known = request.args.get("v") == _version(FOLDER / name, (FOLDER / name).stat().st_mtime_ns)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if known else "no-cache"
        return response


def address(name: str) -> str:
    path = FOLDER / name
    return f"/static/{name}?v={_version(path, path.stat().st_mtime_ns)}"


@lru_cache(maxsize=64)
def _version(path: Path, mtime_ns: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def _packed_answer(path: Path) -> Response:
    version = _version(path, path.stat().st_mtime_ns)
    response = Response(_packed(path, version), mimetype=mimetypes.guess_type(path.name)[0])
    response.headers["Content-Encoding"] = "gzip"
    response.set_etag(f"{version}-gzip")
    return response.make_conditional(request)


@lru_cache(maxsize=64)
def _packed(path: Path, version: str) -> bytes:
    return gzip.compress(path.read_bytes(), mtime=0)
