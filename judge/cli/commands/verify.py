"""`judge verify [SLUG ...|--all]`"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import asdict
from itertools import chain
from typing import TYPE_CHECKING, Self

import click

from judge import config, loader
from judge.cli.app import argument, json_option, option
from judge.cli.app import command as judge_command
from judge.cli.errors import Refusal
from judge.cli.layout import columns, padded
from judge.cli.results import print_json
from judge.cli.terminal import Part, Screen
from judge.cli.words import say
from judge.quiz import quiz_slugs

if TYPE_CHECKING:
    from judge.proving.mutants import MutantResult
    from judge.proving.proof import CaseRow, VerifyResult

SOLE = "*"


@judge_command("verify")
@argument("slugs", nargs=-1)
@option("--all", "everything", is_flag=True, help="all")
@option("--seeds", type=click.IntRange(1, 1000), default=1, metavar="N", help="seeds")
@option("--publish", is_flag=True, help="publish")
@option("--mutants", is_flag=True, help="mutants")
@option("--markdown", is_flag=True, help="markdown")
@option("--no-cache", is_flag=True, help="no_cache")
@json_option
def command(
    slugs: tuple[str, ...],
    everything: bool,
    seeds: int,
    publish: bool,
    mutants: bool,
    markdown: bool,
    no_cache: bool,
    as_json: bool,
) -> int:
    settings = config.load()
    wanted = _wanted(settings, slugs, everything)
    quizzes = [slug for slug in wanted if slug in quiz_slugs(settings.problems)]
    problems = [slug for slug in wanted if slug not in quizzes]
    from judge.proving.quizzes import verify_quiz

    results: list[VerifyResult] = []
    screen, aside = Screen(), Screen(sys.stderr)
    with _Bar() as bar:
        proven: Iterable[VerifyResult] = ()
        if problems:
            from judge.proving.verify import verify
            from sandbox import resolve

            proven = verify(
                settings.problems,
                problems,
                seeds=seeds,
                publish=publish,
                mutants=mutants or markdown,
                sandbox=resolve(settings.sandbox),
                cache=not no_cache,
                on_progress=bar.show,
            )
        for result in chain(proven, (verify_quiz(settings.problems, slug, publish) for slug in quizzes)):
            bar.hide()
            results.append(result)
            if not as_json and not (markdown and result.ok):
                _show(aside if markdown else screen, result)
    good = sum(result.ok for result in results)
    if as_json:
        print_json({"ok": good == len(results), "problems": [{"ok": r.ok, **asdict(r)} for r in results]})
    elif markdown:
        print(_markdown(results), end="")
    elif len(results) > 1:
        screen.line((say("verify_total", good=good, total=len(results)), "bold"))
    return 0 if good == len(results) else 1


def _wanted(settings: config.Config, slugs: tuple[str, ...], everything: bool) -> list[str]:
    known = [*loader.slugs(settings.problems), *quiz_slugs(settings.problems)]
    if everything and slugs:
        raise Refusal("slugs_and_all")
    if not everything and not slugs:
        raise Refusal("nothing_to_verify")
    if everything and not known:
        raise Refusal("no_problems", folder=settings.problems)
    for slug in slugs:
        if slug not in known:
            raise loader.UnknownProblem(slug, known)
    return list(dict.fromkeys(slugs)) or known


class _Bar:
    """A bar on stderr while gradings are done; nothing where stderr is no terminal."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        console = Console(stderr=True)
        parts = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self.progress = Progress(*parts, console=console, transient=True, redirect_stdout=False, redirect_stderr=False,
                                 disable=not console.is_terminal)  # fmt: skip
        self.task = self.progress.add_task("", total=None)

    def show(self, slug: str, done: int, of: int) -> None:
        self.progress.start()
        self.progress.update(self.task, description=slug, completed=done, total=of)

    def hide(self) -> None:
        self.progress.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.hide()


def _markdown(results: list[VerifyResult]) -> str:
    """The text of `docs/mutants.md`."""
    rows = [
        f"| {r.slug} | {r.mutants.made} | {r.mutants.killed} | {r.mutants.equivalent} |" for r in results if r.mutants
    ]
    made_by = "How many changes of each reference the tests notice; made by `judge verify --all --mutants --markdown`."
    head = ["# Mutants", "", made_by, ""]
    return "\n".join([*head, "| problem | mutants | killed | equivalent |", "|---|---:|---:|---:|", *rows, ""])


def _show(screen: Screen, result: VerifyResult) -> None:
    icon = screen.icons["AC" if result.ok else "WA"]
    words = say("verify_ok", slug=result.slug) if result.ok else say(
        "verify_bad", slug=result.slug, count=len(result.errors))  # fmt: skip
    screen.line((f"{icon} {words}", "bold green" if result.ok else "bold red"))
    for error in result.errors:
        screen.line((say("error"), "red"), error, indent=2, hang=2)
    for warning in result.warnings:
        screen.line((say("warning"), "yellow"), warning, indent=2, hang=2)
    if result.mutants:
        _survivors(screen, result.mutants)
    if result.table:
        screen.blank()
        _table(screen, result.table)
        facts = say(
            "verify_facts",
            gradings=result.gradings,
            cached=result.cached,
            trips=result.round_trips,
            found=result.diagnosed,
            mistakes=result.mistakes,
        )
        screen.line((facts, "dim"), indent=2)
        if result.smallest_ms is not None:
            told = say("verify_smallest", found=result.shrunk, searched=result.searched, ms=result.smallest_ms)
            screen.line((told, "dim"), indent=2)
    screen.blank()


DIFF_STYLES = {"-": "red", "+": "green", "@": "cyan"}


def _survivors(screen: Screen, mutants: MutantResult) -> None:
    """Each with its diff, and how many there were."""
    for mutant in mutants.survivors:
        screen.blank()
        for line in mutant.diff.splitlines()[2:]:
            screen.line((line, DIFF_STYLES.get(line[:1], "dim")), indent=2)
    if mutants.survivors:
        screen.blank()
        screen.line(say("survivors_advice"), indent=2)
    screen.line((say("mutant_facts", made=mutants.made, killed=mutants.killed, equivalent=mutants.equivalent), "dim"),
                indent=2)  # fmt: skip


def _table(screen: Screen, rows: list[CaseRow]) -> None:
    """Case, and the mistakes it catches; `*` at those that no other case catches."""
    width = max(columns(text) for text in (say("case"), *(row.name for row in rows))) + 2
    screen.line((padded(say("case"), width), "bold"), (say("catches", sole=SOLE), "bold"), indent=2)
    for row in rows:
        caught: list[Part] = []
        for name in sorted(row.kills, key=lambda name: name not in row.sole):
            sole = name in row.sole
            caught.append((f"{name}{SOLE}" if sole else name, "bold" if sole else ""))
            caught.append(", ")
        screen.line(padded(row.name, width), *(caught[:-1] or [(row.guards or say("nothing"), "dim")]), indent=2,
                    hang=width)  # fmt: skip
