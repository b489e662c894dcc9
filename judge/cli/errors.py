"""From an exception to one sentence on stderr and an exit code. `JUDGE_DEBUG=1` shows the traceback too."""

from __future__ import annotations

import difflib
import os
import sys
import traceback
from collections.abc import Sequence

import click

from judge.cli.terminal import visible
from judge.cli.words import say
from judge.config import ConfigError
from judge.loader import IsQuiz, ProblemError, UnknownProblem
from sandbox.limits import SandboxUnavailable

USAGE = 2
JUDGE_ERROR = 3


class Refusal(Exception):
    """Wrong usage, or something the user can put right: a word of `judge.cli.words`, what to do, an exit code."""

    def __init__(self, key: str, advice: str = "", code: int = USAGE, **fields: object) -> None:
        self.sentence, self.advice, self.code = say(key, **fields), advice, code
        super().__init__(self.sentence)


def explain(error: Exception) -> int:
    """Prints the sentence and returns the exit code."""
    if isinstance(error, click.Abort):
        print(file=sys.stderr)
        return 130
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        print(error.format_message(), file=sys.stderr)
        return USAGE
    sentence, advice, code = _sentence(error)
    complain(sentence, advice)
    if debugging():
        traceback.print_exception(error)
    return code


def complain(sentence: str, advice: str = "", kind: str = "error") -> None:
    """`error: sentence`, and below it what to do."""
    print(f"{say(kind)}{visible(sentence)}", file=sys.stderr)
    if advice:
        print(f"  {visible(advice)}", file=sys.stderr)


def debugging() -> bool:
    """Whether JUDGE_DEBUG=1 asks for what an author of the judge or of a problem needs."""
    return os.environ.get("JUDGE_DEBUG", "") not in ("", "0")


def near(word: str, known: Sequence[str]) -> str:
    """`did you mean ...?`, or empty where nothing is near."""
    found = difflib.get_close_matches(word, known, n=3)
    found = found or [name for name in known if len(word) > 2 and word in name][:3]
    return say("did_you_mean", names=", ".join(f"`{name}`" for name in found)) if found else ""


def _sentence(error: Exception) -> tuple[str, str, int]:
    if isinstance(error, Refusal):
        return error.sentence, error.advice, error.code
    if isinstance(error, click.ClickException):
        return _usage(error)
    if isinstance(error, IsQuiz):
        return say("is_quiz", name=error.slug), "", USAGE
    if isinstance(error, UnknownProblem):
        if not error.known:
            return say("unknown_problem", name=error.slug), "", USAGE
        return say("unknown_problem", name=error.slug), near(error.slug, error.known) or say("see_list"), USAGE
    if isinstance(error, ConfigError):
        return str(error), "", USAGE
    if isinstance(error, ProblemError):
        where = f"{error.path.parent.name}/{error.path.name}"
        return say("problem_broken", where=where, message=error.message), "", JUDGE_ERROR
    if isinstance(error, SandboxUnavailable):
        return say("no_sandbox", reason=error.reason, advice=error.advice), "", JUDGE_ERROR
    return (
        say("unexpected", what=f"{type(error).__name__}: {error}" if str(error) else type(error).__name__),
        "",
        JUDGE_ERROR,
    )


def _usage(error: click.ClickException) -> tuple[str, str, int]:
    ctx = getattr(error, "ctx", None)
    advice = say("try_help", command=ctx.command_path if ctx else "judge")
    if isinstance(error, click.NoSuchOption):
        known = [name for param in ctx.command.get_params(ctx) for name in param.opts] if ctx else []
        return say("unknown_option", name=error.option_name), near(error.option_name, known) or advice, USAGE
    if isinstance(error, click.MissingParameter):
        return say("missing_argument", name=_name(error.param)), advice, USAGE
    if isinstance(error, click.BadOptionUsage):
        return say("missing_value", name=error.option_name), advice, USAGE
    if isinstance(error, click.BadParameter) and error.param is not None:
        return say("bad_value", name=_name(error.param), expected=_expected(error.param.type)), advice, USAGE
    return say("bad_usage", message=error.format_message()), advice, USAGE


def _name(param: click.Parameter | None) -> str:
    if param is None:
        return "?"
    return max(param.opts, key=len) if isinstance(param, click.Option) else (param.name or "?").upper()


def _expected(kind: object) -> str:
    if isinstance(kind, click.Choice):
        return say("expected.choice", choices=", ".join(str(choice) for choice in kind.choices))
    if isinstance(kind, click.IntRange):
        if kind.max is None:
            return say("expected.min", low=kind.min)
        return say("expected.range", low=kind.min, high=kind.max)
    return say("expected.number")
