"""`judge show SLUG`"""

from __future__ import annotations

import re

from judge import config, loader
from judge.cli.app import argument
from judge.cli.app import command as judge_command
from judge.cli.language import spoken
from judge.cli.terminal import Screen
from judge.cli.words import say
from judge.model import Problem

FENCE = re.compile(r"(^```.*?^```[^\n]*$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
MATHS = re.compile(r"\$\$(.+?)\$\$|(?<![\\$])\$([^$\n]+?)\$", re.DOTALL)
WIDTH = 100


@judge_command("show")
@argument("slug")
def command(slug: str) -> None:
    problem = loader.load_problem(config.load().problems, slug)
    screen = Screen()
    _head(screen, problem)
    statement = problem.statement[spoken.get()]
    if screen.wraps:
        from rich.markdown import Markdown

        screen.console.print(Markdown(_keep_maths(statement)), width=min(screen.console.width, WIDTH))
    else:
        screen.line(statement.rstrip("\n"))
    screen.blank()
    screen.line(say("next", command=f"judge start {slug}"))


def _head(screen: Screen, problem: Problem) -> None:
    limits = problem.limits
    screen.line((problem.title[spoken.get()], "bold"), f" · {say(problem.difficulty)} · ", (problem.slug, "cyan"))
    screen.line((say("you_write", names=", ".join(problem.names)), "dim"))
    screen.line((say("limits", seconds=limits.time_limit_s, megabytes=limits.memory_mb), "dim"))
    if problem.forbidden:
        screen.line((say("not_allowed", names=", ".join(problem.forbidden)), "dim"), hang=2)
    screen.blank()


def _keep_maths(markdown: str) -> str:
    """LaTeX becomes code, so that Markdown leaves its underscores and backslashes alone."""
    pieces = FENCE.split(markdown)
    return "".join(piece if FENCE.fullmatch(piece) else MATHS.sub(_as_code, piece) for piece in pieces)


def _as_code(match: re.Match[str]) -> str:
    block, inline = match.groups()
    return f"\n```\n{block.strip()}\n```\n" if block else f"`{inline}`"
