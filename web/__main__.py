"""`python -m web`: the web server. gunicorn with one process and many threads; settings from the environment.

One process, since its watcher thread feeds all streams of it; threads, since a stream or a long poll holds one.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from types import FrameType
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication

from judge import config, logs
from judge.config import Config
from judge.store import StoreError
from web import create_app

THREADS = 320
GRACE_S = 10


class WebServer(BaseApplication):  # type: ignore[misc]
    """gunicorn around our application. It is made in the serving process: an engine must not cross a fork."""

    def __init__(self, settings: Config) -> None:
        self.settings = settings
        super().__init__()

    def load_config(self) -> None:
        host = f"[{self.settings.host}]" if ":" in self.settings.host else self.settings.host
        fd = os.environ.get("JUDGE_LISTEN_FD")  # `judge serve` listens, and passes its socket on
        for key, value in {
            "bind": f"fd://{fd}" if fd else f"{host}:{self.settings.port}",
            "worker_class": "gthread",
            "workers": 1,
            "threads": THREADS,
            "keepalive": 30,
            "graceful_timeout": GRACE_S,
            "loglevel": "warning",
            "proc_name": "judge-web",
            "control_socket_disable": True,
            "forwarded_allow_ips": "",  # X-Forwarded headers are read by our own setting only
            "post_worker_init": _end_waits_on_stop,
        }.items():
            if key in self.cfg.settings:
                self.cfg.set(key, value)

    def load(self) -> Flask:
        return create_app(self.settings)


def _end_waits_on_stop(worker: Any) -> None:
    """Streams and long polls would hold up a stop for as long as they live."""
    application: Flask = worker.app.wsgi()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
        before = signal.getsignal(number)

        def handler(number: int, frame: FrameType | None, before: Any = before) -> None:
            application.extensions["feed"].close()
            if callable(before):
                before(number, frame)

        signal.signal(number, handler)


def main() -> int:
    try:
        settings = config.load()
        logs.configure(settings.log, logging.WARNING)
        WebServer(settings).run()
    except (config.ConfigError, StoreError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
