"""`judge run SLUG FILE`"""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

import click

from judge import config, loader
from judge.cli import source as sources
from judge.cli.app import argument, json_option, option
from judge.cli.app import command as judge_command
from judge.cli.errors import JUDGE_ERROR, Refusal, complain, debugging
from judge.cli.grading import Session, failure_json, precheck
from judge.cli.language import spoken
from judge.cli.results import exit_code, print_json, show_case, show_outcome
from judge.cli.terminal import Screen
from judge.cli.words import say
from judge.messages import case_json, describe, report_json
from judge.model import CaseResult, Problem, Report
from judge.own_input import InputRefused
from sandbox import SandboxUnavailable, driver_names

LARGEST_SEED = 2**53 - 1
"""So that every reader of JSON keeps all its digits."""


class Driver(click.Choice[str]):
    """A driver's name; after a colon what the driver makes of it, such as `docker:runsc`."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        name, colon, rest = value.partition(":")
        return str(super().convert(name, param, ctx)) + colon + rest


@judge_command("run")
@argument("slug")
@argument("file")
@option("--samples", is_flag=True, help="samples")
@json_option
@option("--watch", is_flag=True, help="watch")
@option("--seed", type=click.IntRange(0, LARGEST_SEED), metavar="N", help="seed")
@option("--input", "input_file", metavar="FILE", help="input")
@option("--sandbox", type=Driver(["auto", *driver_names()]), help="sandbox")
def command(
    slug: str, file: str, samples: bool, as_json: bool, watch: bool, seed: int | None, input_file: str | None,
    sandbox: str | None,
) -> int:  # fmt: skip
    settings = config.load(sandbox=sandbox)
    if watch and file == sources.STANDARD_INPUT:
        raise Refusal("watch_stdin")
    if settings.sandbox == "none":
        complain(say("sandbox_none"), kind="warning")
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    with Session(settings.sandbox) as session:
        run = Run(settings, session, slug, samples, as_json, seed, input_file)
        return run.watch(file) if watch else run.once(sources.read(file))


class Run:
    """One command's way of judging: everything but the source."""

    def __init__(
        self, settings: config.Config, session: Session, slug: str, samples: bool, as_json: bool, seed: int | None,
        input_file: str | None,
    ) -> None:  # fmt: skip
        self.settings, self.session, self.slug = settings, session, slug
        self.samples, self.as_json, self.seed, self.input_file = samples, as_json, seed, input_file
        self.screen = Screen()
        self.code = 0
        """The exit code of the newest judging, set before it is told: Ctrl-C may come right after."""

    def once(self, source: bytes) -> int:
        """Judges and prints; returns the exit code."""
        try:
            problem = loader.load_problem(self.settings.problems, self.slug)
            report = self._grade(problem, source)
        except loader.ProblemError as error:
            where = f"{error.path.parent.name}/{error.path.name}"
            return self._fail(source, say("problem_broken_here", where=where, message=error.message))
        except InputRefused as error:
            raise Refusal("input_refused", reason=describe(error.finding, spoken.get())) from None
        except SandboxUnavailable as error:
            return self._fail(source, say("no_sandbox", reason=error.reason, advice=error.advice))
        result = report_json(report, problem, spoken.get())
        self.code = exit_code(result)
        if self.as_json:
            print_json(result)
        else:
            show_outcome(self.screen, result)
        if report.internal:
            complain(report.internal if debugging() else say("internal"), kind="note")
        return self.code

    def _grade(self, problem: Problem, source: bytes) -> Report:
        def show(case: CaseResult) -> None:
            if not self.as_json:
                show_case(self.screen, case_json(case, problem, spoken.get()))

        own_input = sources.read_input(self.input_file) if self.input_file is not None else None
        early = precheck(problem, source, driver=self.settings.sandbox, seed=self.seed, samples_only=self.samples)
        if early is not None:
            return early
        return self.session.grade(
            problem, source, seed=self.seed, samples_only=self.samples, own_input=own_input, on_case=show
        )

    def _fail(self, source: bytes, sentence: str) -> int:
        self.code = JUDGE_ERROR
        if self.as_json:
            print_json(failure_json(self.slug, source, sentence, sandbox=self.settings.sandbox, seed=self.seed or 0,
                                    samples=self.samples))  # fmt: skip
        complain(sentence)
        return self.code

    def watch(self, file: str) -> int:
        """Judges now and after each save, until Ctrl-C; returns the exit code of the last judging."""
        from judge.cli.watching import saves, stamp

        path = Path(file)
        last = stamp(path)
        self.once(sources.read(file))
        try:
            self._say(say("watching", path=file))
            for now in saves(path, last):
                if now is None:
                    self._say(say("file_gone", path=file))
                    continue
                self._say(time.strftime("── %H:%M:%S ──"))
                self._again(file)
        except KeyboardInterrupt:
            self._say("")
        return self.code

    def _again(self, file: str) -> None:
        try:
            self.once(sources.read(file))
        except Refusal as refusal:
            complain(refusal.sentence, refusal.advice)

    def _say(self, text: str) -> None:
        """Talk that is no result goes to stderr, so that stdout stays JSON with --json."""
        print(text, file=sys.stderr if self.as_json else sys.stdout, flush=True)
