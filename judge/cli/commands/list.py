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


@judge_command("list")
@json_option
def command(as_json: bool) -> None:
    bank = config.load().problems
    problems, broken = loader.load_bank(bank)
    if as_json:
        print(json.dumps([_row(problem) for problem in problems], ensure_ascii=False, indent=2))
    elif problems:
        _table(problems)
    elif not broken:
        complain(say("no_problems", folder=bank), kind="warning")
    for error in broken:
        complain(str(error), kind="warning")


def _row(problem: Problem) -> dict[str, object]:
    return {
        "slug": problem.slug,
        "title": problem.title[spoken.get()],
        "difficulty": problem.difficulty,
        "tags": list(problem.tags),
        "order": problem.order,
        "names": list(problem.names),
        "cases": len(problem.cases),
        "samples": len(problem.samples),
    }


def _table(problems: list[Problem]) -> None:
    from judge.cli.layout import columns, padded
    from judge.cli.terminal import Screen

    heads = (say("col.slug"), say("col.difficulty"), say("col.title"))
    rows = [(problem.slug, say(problem.difficulty), problem.title[spoken.get()]) for problem in problems]
    first = max(columns(row[0]) for row in [heads, *rows])
    second = max(columns(row[1]) for row in [heads, *rows])
    screen = Screen()
    screen.line((f"{padded(heads[0], first)}  {padded(heads[1], second)}  {heads[2]}", "bold"))
    for slug, difficulty, title in rows:
        screen.line((padded(slug, first), "cyan"), f"  {padded(difficulty, second)}  ", title, hang=first + second + 4)
