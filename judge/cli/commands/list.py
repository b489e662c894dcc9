"""`judge list`"""

from __future__ import annotations

import json

from judge import config, loader
from judge.cli.app import command as judge_command
from judge.cli.app import json_option
from judge.cli.errors import complain
from judge.cli.language import spoken
from judge.cli.words import say
from judge.model import Problem
from judge.quiz import Quiz, load_quizzes


@judge_command("list")
@json_option
def command(as_json: bool) -> None:
    bank = config.load().problems
    problems, broken = loader.load_bank(bank)
    quizzes, odd = load_quizzes(bank)
    if as_json:
        rows = [*map(_row, problems), *map(_quiz_row, quizzes)]
        print(json.dumps(rows, ensure_ascii=False, indent=2))
    elif problems or quizzes:
        _table(problems, quizzes)
    elif not broken:
        complain(say("no_problems", folder=bank), kind="warning")
    for error in (*broken, *odd):
        complain(str(error), kind="warning")


def _row(problem: Problem) -> dict[str, object]:
    return {
        "kind": "problem",
        "slug": problem.slug,
        "title": problem.title[spoken.get()],
        "difficulty": problem.difficulty,
        "tags": list(problem.tags),
        "order": problem.order,
        "names": list(problem.names),
        "cases": len(problem.cases),
        "samples": len(problem.samples),
    }


def _quiz_row(quiz: Quiz) -> dict[str, object]:
    return {
        "kind": "quiz",
        "slug": quiz.slug,
        "title": quiz.title[spoken.get()],
        "stage": quiz.stage,
        "questions": len(quiz.questions),
    }


def _table(problems: list[Problem], quizzes: list[Quiz]) -> None:
    from judge.cli.layout import columns, padded
    from judge.cli.terminal import Screen

    heads = (say("col.slug"), say("col.difficulty"), say("col.title"))
    rows = [(problem.slug, say(problem.difficulty), problem.title[spoken.get()]) for problem in problems]
    rows += [(quiz.slug, say("quiz"), quiz.title[spoken.get()]) for quiz in quizzes]
    first = max(columns(row[0]) for row in [heads, *rows])
    second = max(columns(row[1]) for row in [heads, *rows])
    screen = Screen()
    screen.line((f"{padded(heads[0], first)}  {padded(heads[1], second)}  {heads[2]}", "bold"))
    for slug, difficulty, title in rows:
        screen.line((padded(slug, first), "cyan"), f"  {padded(difficulty, second)}  ", title, hang=first + second + 4)
