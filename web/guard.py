"""Who may ask at all, before any handler runs. In this order:

Host            on loopback only our own names with the port: a page of another site that points its name at 127.0.0.1
                (DNS rebinding) sends its own name
Origin          unsafe methods, and all below /api, only from our own pages: Sec-Fetch-Site, and Origin where sent
content type    unsafe API calls with a body carry JSON: a form of another site cannot send that without a preflight
CSRF            cookie clients prove that they could read one of our pages (X-CSRFToken, tied to the session, no time
                limit). Exempt: a bearer token (no browser adds it by itself), and clients without our cookie that are
                no browser (browsers send Origin with every unsafe request)
account         unsafe requests, where sign-in is required or a session has ended: see `access`
headers         on every answer: CSP without inline code, no framing, no sniffing, no sharing with other origins
"""

from __future__ import annotations

import secrets
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, g, request
from flask_wtf.csrf import CSRFProtect

from judge.config import Config, is_loopback
from web import access, identity
from web.access import SAFE_METHODS
from web.errors import Refused

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def init_app(app: Flask) -> None:
    CSRFProtect(app)
    config: Config = app.extensions["config"]
    hosts = allowed_hosts(config)
    app.jinja_env.globals["csp_nonce"] = nonce

    @app.before_request
    def check() -> None:
        check_host(hosts)
        if request.method not in SAFE_METHODS or request.path.startswith("/api/"):
            check_origin()
        if request.method not in SAFE_METHODS:
            check_content_type()
            check_csrf()
        access.check()

    app.after_request(add_headers)


def allowed_hosts(config: Config) -> frozenset[str] | None:
    """The Host headers that are served; None for any, where the judge listens beyond loopback under no set name."""
    named = frozenset(host.strip().lower() for host in config.hosts.split(",") if host.strip())
    if not named and not is_loopback(config.host):
        return None
    names = {*LOOPBACK, f"[{config.host}]" if ":" in config.host.strip("[]") else config.host}
    own = frozenset(f"{name}:{config.port}" for name in names)
    return named | own | (frozenset(names) if config.port == 80 else frozenset())


def check_host(hosts: frozenset[str] | None) -> None:
    if hosts is not None and request.headers.get("Host", "").lower() not in hosts:
        raise Refused(403, "host", hosts=", ".join(sorted(hosts)))


def check_origin() -> None:
    if request.headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
        raise Refused(403, "origin")
    origin = request.headers.get("Origin")
    if origin is not None and not is_own(origin):
        raise Refused(403, "origin")


def is_own(origin: str) -> bool:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return (parts.scheme, parts.netloc) == (request.scheme, request.host)


def check_content_type() -> None:
    if request.path.startswith("/api/") and request.method != "DELETE" and request.mimetype != "application/json":
        raise Refused(415, "content_type")


def check_csrf() -> None:
    if identity.has_bearer():
        return
    browser = "Origin" in request.headers or "Sec-Fetch-Site" in request.headers
    if browser or current_app.config["SESSION_COOKIE_NAME"] in request.cookies:
        current_app.extensions["csrf"].protect()


def nonce() -> str:
    """The nonce of this answer; CodeMirror puts it on the styles that it makes."""
    if "nonce" not in g:
        g.nonce = secrets.token_urlsafe(16)
    made: str = g.nonce
    return made


def add_headers(response: Response) -> Response:
    styles = f"'self' 'nonce-{g.nonce}'" if "nonce" in g else "'self'"
    response.headers["Content-Security-Policy"] = (
        f"default-src 'none'; script-src 'self'; style-src {styles}; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["X-Frame-Options"] = "DENY"
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    response.headers["Permissions-Policy"] = "camera=(), geolocation=(), microphone=()"
    response.headers.setdefault("Cache-Control", "private, no-cache")
    return response
