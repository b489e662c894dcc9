"""`judge show SLUG`"""

from __future__ import annotations

import re
from pathlib import Path

from judge import config, loader
from judge.cli.app import argument
from judge.cli.app import command as judge_command
from judge.cli.language import spoken
from judge.cli.terminal import Screen
from judge.cli.words import say
from judge.messages import GROUP_WORDS
from judge.model import Problem
from judge.quiz import Question, load_quiz, quiz_slugs, shuffled

FENCE = re.compile(r"(^```.*?^```[^\n]*$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
MATHS = re.compile(r"\$\$(.+?)\$\$|(?<![\\$])\$([^$\n]+?)\$", re.DOTALL)
WIDTH = 100


@judge_command("show")
@argument("slug")
def command(slug: str) -> None:
    bank = config.load().problems
    screen = Screen()
    if slug in quiz_slugs(bank):
        _quiz(screen, bank, slug)
        return
    problem = loader.load_problem(bank, slug)
    _head(screen, problem)
    _markdown(screen, problem.statement[spoken.get()])
    screen.blank()
    screen.line(say("next", command=f"judge start {slug}"))


def _markdown(screen: Screen, text: str) -> None:
    if screen.wraps:
        from rich.markdown import Markdown

        screen.console.print(Markdown(_keep_maths(text)), width=min(screen.console.width, WIDTH))
    else:
        screen.line(text.rstrip("\n"))


def _quiz(screen: Screen, bank: Path, slug: str) -> None:
    """The questions without their answers."""
    quiz = load_quiz(bank, slug)
    title, count = quiz.title[spoken.get()], say("quiz_questions", count=len(quiz.questions))
    screen.line((title, "bold"), f" · {say('quiz')} · {count} · ", (slug, "cyan"))
    for number, question in enumerate(quiz.questions, start=1):
        screen.blank()
        screen.line((say("quiz_number", number=number), "bold"))
        _markdown(screen, "\n\n".join((question.prompt[spoken.get()], *_asked(question))))
    screen.blank()
    screen.line(say("quiz_answer"))


def _asked(question: Question) -> list[str]:
    """What kind of answer is wanted; the options in an order that tells nothing."""
    if question.kind == "formula":
        return [say("quiz_formula", names=", ".join(question.names))]
    if question.kind == "number":
        return [say("quiz_unit", unit=question.unit[spoken.get()])] if question.unit else []
    options = "\n".join(f"- {option.text[spoken.get()]}" for option in shuffled(question, ""))
    return [options, say("quiz_several")] if question.several else [options]


def _head(screen: Screen, problem: Problem) -> None:
    limits = problem.limits
    screen.line((problem.title[spoken.get()], "bold"), f" · {say(problem.difficulty)} · ", (problem.slug, "cyan"))
    screen.line((say("you_write", names=", ".join(problem.names)), "dim"))
    screen.line((say("limits", seconds=limits.time_limit_s, megabytes=limits.memory_mb), "dim"))
    if problem.forbidden:
        screen.line((say("not_allowed", names="; ".join(_forbidden(problem))), "dim"), hang=2)
    screen.blank()


def _forbidden(problem: Problem) -> list[str]:
    return [GROUP_WORDS[name][spoken.get()] if name in GROUP_WORDS else name for name in problem.forbidden]


def _keep_maths(markdown: str) -> str:
    """LaTeX becomes code, so that Markdown leaves its underscores and backslashes alone."""
    pieces = FENCE.split(markdown)
    return "".join(piece if FENCE.fullmatch(piece) else MATHS.sub(_as_code, piece) for piece in pieces)


def _as_code(match: re.Match[str]) -> str:
    block, inline = match.groups()
    return f"\n```\n{block.strip()}\n```\n" if block else f"`{inline}`"
