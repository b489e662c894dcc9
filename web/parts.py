"""What a request handler needs of the application, typed."""

from __future__ import annotations

from typing import cast

from flask import current_app

from judge.config import Config
from judge.queue import Bell
from judge.store import Store
from web.bank import Bank
from web.feed import Feed


def config() -> Config:
    return cast(Config, current_app.extensions["config"])


def store() -> Store:
    return cast(Store, current_app.extensions["store"])


def bank() -> Bank:
    return cast(Bank, current_app.extensions["bank"])


def feed() -> Feed:
    return cast(Feed, current_app.extensions["feed"])


def wake() -> Bell:
    """Rung after a judging was queued: one idle worker looks at once."""
    return cast(Bell, current_app.extensions["wake"])
