"""The web application: pages for learners and the HTTP API. Never imports torch, the grader or the sandbox.

create_app     wires the parts below; every module in `web/api` and `web/pages` that has a `blueprint` is a resource
    guard      who may ask at all: Host, Origin, content type, CSRF; security headers on every answer
    identity   who asks: an account's session, a bearer token, or a cookie     key   what signs cookies
    access     what an asker may do     signing, limits   sign-in, sign-up, how often
    language   en or zh: ?lang=, cookie, Accept-Language; `words.json` holds every sentence of the pages
    errors     refusals and their words: problem+json for the API, a page for people
    look       theme and dividers, from cookies
    bank       problems, read again when their files change
    feed       one watcher thread that tells streams and long polls what changed
    present    a submission as JSON     statement   Markdown as safe HTML     assets   static files by their hash
"""

from __future__ import annotations

import importlib
import pkgutil
from datetime import timedelta

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from judge.config import Config
from judge.queue import NEWS, WAKE, Bell, bell
from judge.store import Store
from web import api, assets, errors, guard, identity, key, language, look, pages
from web.bank import Bank
from web.feed import Feed

MAX_BODY_BYTES = 512 * 1024
"""A source of 64 KiB takes up to six times as many bytes as JSON escapes."""


def create_app(config: Config, store: Store | None = None) -> Flask:
    """The application for these settings; opens (and migrates) the store of `config` unless one is given."""
    app = Flask(__name__, static_folder=None)
    app.config.update(
        SECRET_KEY=key.load_key(config.data),
        SESSION_COOKIE_NAME=f"judge_{config.port}",  # cookies do not tell ports apart
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_REFRESH_EACH_REQUEST=False,
        PERMANENT_SESSION_LIFETIME=timedelta(days=3650),
        MAX_CONTENT_LENGTH=MAX_BODY_BYTES,
        WTF_CSRF_CHECK_DEFAULT=False,
        WTF_CSRF_TIME_LIMIT=None,
        TEMPLATES_AUTO_RELOAD=False,
    )
    if config.trust_proxy:
        hops = config.trust_proxy
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.json.sort_keys = False  # type: ignore[attr-defined]
    store = store or Store.open(config.database)
    app.extensions["config"] = config
    app.extensions["store"] = store
    app.extensions["bank"] = Bank(config.problems)
    app.extensions["feed"] = Feed(store, bell(store, NEWS))
    app.extensions["wake"] = Bell.inherited(WAKE)
    for part in (errors, guard, identity, language, look, assets):
        part.init_app(app)
    for package in (api, pages):
        for module in pkgutil.iter_modules(package.__path__):
            found = importlib.import_module(f"{package.__name__}.{module.name}")
            app.register_blueprint(found.blueprint)
    return app
