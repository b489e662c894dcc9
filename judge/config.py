"""Every setting, with its default and its help text. The only reader of the environment.

A setting `database_url` is read from `JUDGE_DATABASE_URL`; command line options win over the environment.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

SIGN_IN = ("auto", "required", "optional")


class ConfigError(ValueError):
    """A setting has a value that cannot be used; the message names variable and value."""


def _default_problems() -> Path:
    here = Path.cwd() / "problems"
    return here if here.is_dir() else Path(__file__).resolve().parent.parent / "problems"


def _setting(default: Any, help: str) -> Any:
    if callable(default):
        return field(default_factory=default, metadata={"help": help})
    return field(default=default, metadata={"help": help})


@dataclass(frozen=True)
class Config:
    """The settings of one run."""

    problems: Path = _setting(_default_problems, "folder of the problem folders")
    data: Path = _setting(lambda: user_data_path("attention-judge"), "folder for the database and the cookie key")
    database_url: str = _setting("", "SQLAlchemy URL; empty: SQLite in the data folder")
    sandbox: str = _setting(
        "auto", "how submissions are run: auto, local, docker, docker:RUNTIME, unix:SOCKET of a gate, or none"
    )
    token: str = _setting("", "bearer token for `judge submit`")
    server: str = _setting("http://127.0.0.1:8000", "address of the judge for `judge submit`")
    host: str = _setting("127.0.0.1", "address to listen on")
    port: int = _setting(8000, "port to listen on")
    workers: int = _setting(0, "grading processes; 0: one per core")
    lease_s: float = _setting(15.0, "seconds after which a judging whose worker is silent goes back to the queue")
    log: str = _setting("text", "how processes log: text, or json for one object a line")
    lang: str = _setting("", "en or zh; empty: from the locale")
    sign_in: str = _setting("auto", "accounts to submit: required, optional, or auto: required beyond loopback")
    session_days: int = _setting(30, "days without a visit after which a sign-in ends")
    hosts: str = _setting("", "names the judge is reached by (host or host:port, comma between); empty: any")
    trust_proxy: int = _setting(0, "reverse proxies in front whose X-Forwarded headers are believed")
    submissions_per_minute: int = _setting(40, "submissions of one learner in a minute; 0: no limit")
    submissions_per_hour: int = _setting(600, "submissions of one learner in an hour; 0: no limit")
    queue_limit: int = _setting(2000, "submissions that may wait; while there are more, none is taken; 0: no limit")

    @property
    def database(self) -> str:
        return self.database_url or f"sqlite:///{self.data / 'judge.db'}"

    @property
    def sign_in_required(self) -> bool:
        """Whether only accounts may submit. Behind a proxy loopback is no sign that only this machine connects."""
        if self.sign_in == "auto":
            return self.trust_proxy > 0 or not is_loopback(self.host)
        return self.sign_in == "required"

    @property
    def worker_count(self) -> int:
        return self.workers or os.cpu_count() or 1


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches the address."""
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def variable(name: str) -> str:
    """`database_url` -> `JUDGE_DATABASE_URL`."""
    return "JUDGE_" + name.upper()


def load(environ: Mapping[str, str] | None = None, **overrides: Any) -> Config:
    """Settings from the environment; `overrides` that are not None win. Raises ConfigError."""
    environ = os.environ if environ is None else environ
    values: dict[str, Any] = {}
    for setting in fields(Config):
        name, kind = setting.name, str(setting.type)
        text = environ.get(variable(name))
        if overrides.get(name) is not None:
            values[name] = overrides[name]
        elif text:
            try:
                values[name] = {"int": int, "float": float, "Path": Path}.get(kind, str)(text)
            except ValueError:
                raise ConfigError(
                    f"{variable(name)}={text!r} is not a{'n int' if kind == 'int' else ' ' + kind}"
                ) from None
    if values.get("sign_in", "auto") not in SIGN_IN:
        raise ConfigError(f"{variable('sign_in')}={values['sign_in']!r} is none of {', '.join(SIGN_IN)}")
    return Config(**values)
