"""Which language the command line speaks: `--lang`, then `JUDGE_LANG`, then the locale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextvars import ContextVar

from judge.model import Lang

spoken: ContextVar[Lang] = ContextVar("spoken", default="en")
LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


def choose(arguments: Sequence[str], environ: Mapping[str, str]) -> Lang:
    """Reads the option before click does, so that help and usage errors are in the right language too."""
    wanted = _option(arguments) or environ.get("JUDGE_LANG")
    if not wanted:
        wanted = next((environ[name] for name in LOCALE_VARIABLES if environ.get(name)), "")
    return "zh" if wanted.lower().startswith("zh") else "en"


def _option(arguments: Sequence[str]) -> str:
    found = ""
    for position, argument in enumerate(arguments):
        if argument == "--":
            break
        if argument == "--lang":
            found = next(iter(arguments[position + 1 :]), "")
        elif argument.startswith("--lang="):
            found = argument.removeprefix("--lang=")
    return found
