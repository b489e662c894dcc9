"""Proves a problem: every submission in its folder gets the verdict its folder names, with every seed.

    errors      the problem does not load; a wrong verdict; verdicts that change with the seed; a hidden case that no
                known mistake needs and that does not say what it guards; more than 60 round trips
    warnings    missing translations or explanation, fewer than six mistakes or two accepted answers, a sentence
                that the diagnosis cannot find (errors with `publish`)

`table` tells for every case which mistakes it catches, and which of them nothing else catches.
"""

from __future__ import annotations

import ast
import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from judge.loader import ProblemError, load_problem
from judge.model import BankSubmission, Problem, Report, Text

MAX_ROUND_TRIPS = 60
MIN_MISTAKES, MIN_ACCEPTED = 6, 2
FIRST_SEED = 1
GUARDS = "Guards"


@dataclass(frozen=True)
class CaseRow:
    """`kills`: mistakes whose verdict in this case is not AC; `sole`: those that no other case catches."""

    name: str
    title: str
    sample: bool
    kills: tuple[str, ...]
    sole: tuple[str, ...]
    guards: str


@dataclass
class VerifyResult:
    """What `verify` found in one problem. `gradings` counts submissions times seeds."""

    slug: str
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    table: list[CaseRow] = field(default_factory=list)
    gradings: int = 0
    round_trips: int = 0
    diagnosed: int = 0
    mistakes: int = 0

    @property
    def ok(self) -> bool:
        return not self.errors


@dataclass(frozen=True)
class _Job:
    bank: Path
    slug: str
    submission: BankSubmission
    seeds: tuple[int, ...]


@dataclass(frozen=True)
class _Outcome:
    submission: BankSubmission
    reports: tuple[Report, ...]
    diagnosis: str | None
    round_trips: int


def verify(
    bank: Path,
    slugs: Iterable[str],
    *,
    seeds: int = 1,
    publish: bool = False,
    sandbox: str = "auto",
    processes: int | None = None,
    on_progress: Callable[[str, int, int], None] | None = None,
) -> Iterator[VerifyResult]:
    """Verifies problems one after the other, spread over processes. `on_progress(slug, done, of)` counts gradings."""
    results: dict[str, VerifyResult] = {}
    jobs: list[_Job] = []
    problems: dict[str, Problem] = {}
    order = list(slugs)
    numbers = tuple(range(FIRST_SEED, FIRST_SEED + max(1, seeds)))
    for slug in order:
        results[slug] = VerifyResult(slug)
        try:
            problems[slug] = load_problem(bank, slug)
        except ProblemError as error:
            results[slug].errors.append(str(error))
            continue
        jobs += [_Job(bank, slug, submission, numbers) for submission in _submissions(problems[slug])]
    workers = min(processes or os.cpu_count() or 1, max(1, len(jobs)))
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _start, (sandbox,)) as pool:
        pending = {slug: [] for slug in order}  # type: dict[str, list[_Outcome | ProblemError]]
        running = {slug: [pool.submit(_grade, job) for job in jobs if job.slug == slug] for slug in order}
        for slug in order:
            for number, future in enumerate(running[slug], 1):
                pending[slug].append(future.result())
                if on_progress is not None:
                    on_progress(slug, number, len(running[slug]))
            if slug in problems:
                _judge(problems[slug], pending[slug], results[slug], publish)
            yield results[slug]


def _submissions(problem: Problem) -> list[BankSubmission]:
    """The folder's submissions, the reference as one more accepted answer, and the starter as one that must fail."""
    path = problem.folder / "reference.py"
    reference = BankSubmission("reference", path, path.read_bytes(), ("AC",), Text(""))
    path = problem.folder / "starter.py"
    starter = BankSubmission("starter", path, path.read_bytes(), ("WA", "RTE", "CE", "TLE", "RF"), Text(""))
    return [reference, starter, *problem.submissions]


_grader = None


def _start(sandbox: str) -> None:
    """In each process of the pool: one grader for all its jobs."""
    global _grader
    from judge.grader import Grader
    from sandbox import open_sandbox

    _grader = Grader(open_sandbox(sandbox))


def _grade(job: _Job) -> _Outcome | ProblemError:
    assert _grader is not None
    problem = load_problem(job.bank, job.slug)
    source = job.submission.source
    if job.submission.name == "reference" and job.submission.path.parent == problem.folder:
        from judge.own_code import load_modules
        from sandbox.restrict import GROUPS, names_something

        for name in problem.forbidden:
            if not names_something(name):
                known = f"a dotted name of torch, `aten.<operator>` or one of the groups {', '.join(GROUPS)}"
                return ProblemError(problem.folder / "problem.toml", f"key `forbidden` has {name!r}, expected {known}")
        try:
            load_modules(problem)
        except ProblemError as error:
            return ProblemError(error.path, error.message)
    first = _grader.grade(problem, source, seed=job.seeds[0])
    round_trips = _grader.exchanges
    diagnosis = _grader.diagnose(problem, source, first, seconds=10) if job.submission.is_mistake else None
    rest = [_grader.grade(problem, source, seed=seed) for seed in job.seeds[1:]]
    return _Outcome(job.submission, (first, *rest), diagnosis, round_trips)


def _judge(problem: Problem, outcomes: list[_Outcome | ProblemError], result: VerifyResult, publish: bool) -> None:
    for outcome in outcomes:
        if isinstance(outcome, ProblemError):
            result.errors.append(str(outcome))
    graded = [outcome for outcome in outcomes if isinstance(outcome, _Outcome)]
    for outcome in graded:
        result.gradings += len(outcome.reports)
        _check_verdicts(outcome, result)
    mistakes = [outcome for outcome in graded if outcome.submission.is_mistake and outcome.submission.name != "starter"]
    result.mistakes = len(mistakes)
    result.diagnosed = sum(outcome.diagnosis == outcome.submission.name for outcome in mistakes)
    result.round_trips = max((o.round_trips for o in graded if o.submission.name == "reference"), default=0)
    if result.round_trips > MAX_ROUND_TRIPS:
        result.errors.append(f"tests.py: {result.round_trips} round trips for all cases, at most {MAX_ROUND_TRIPS}")
    result.table = _table(problem, mistakes)
    for row in result.table:
        if not row.sample and not row.sole and not row.guards:
            result.errors.append(
                f"tests.py: `{row.name}` catches no mistake that no other case catches; add a mistake that needs it, "
                f"or a line `{GUARDS} ...` to its docstring that says what it is for"
            )
    (result.errors if publish else result.warnings).extend(_gaps(problem, mistakes))


def _check_verdicts(outcome: _Outcome, result: VerifyResult) -> None:
    submission = outcome.submission
    place = submission.path.name if submission.name in ("reference", "starter") else (
        f"submissions/{submission.path.parent.name}/{submission.path.name}")  # fmt: skip
    for report in outcome.reports:
        if report.verdict not in submission.expected:
            failed = report.first_failure
            where = f" in `{failed.name}`" if failed else ""
            result.errors.append(
                f"{place}: {report.verdict}{where} with seed {report.seed}, expected {' or '.join(submission.expected)}"
                + (f" ({report.internal})" if report.internal else "")
            )
            return
    if len({report.verdict for report in outcome.reports}) > 1 and len(submission.expected) == 1:
        result.errors.append(f"{place}: the verdict changes with the seed")


def _table(problem: Problem, mistakes: list[_Outcome]) -> list[CaseRow]:
    """A mistake counts as caught by a case if any seed's run of the case failed."""
    caught: dict[str, set[str]] = {}
    for outcome in mistakes:
        failed = {c.name for r in outcome.reports for c in r.cases if c.verdict not in (None, "AC")}
        for name in failed:
            caught.setdefault(name, set()).add(outcome.submission.name)
    guards = _guards(problem.folder / "tests.py")
    rows = []
    for case in problem.cases:
        mine = caught.get(case.name, set())
        others = set().union(*(names for name, names in caught.items() if name != case.name))
        rows.append(CaseRow(case.name, case.title.en, case.sample, tuple(sorted(mine)), tuple(sorted(mine - others)),
                            guards.get(case.name, "")))  # fmt: skip
    return rows


def _guards(path: Path) -> dict[str, str]:
    """Per case the docstring's line that begins with "Guards"."""
    found = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            lines = [line.strip() for line in (ast.get_docstring(node) or "").splitlines()[1:]]
            found[node.name] = next((line for line in lines if line.startswith(GUARDS)), "")
    return found


def _gaps(problem: Problem, mistakes: list[_Outcome]) -> list[str]:
    """What a published problem has and a draft may lack."""
    gaps = []
    for name, text in (("statement", problem.statement), ("explanation", problem.explanation)):
        for lang, content in (("en", text.en), ("zh", text.zh)):
            if not content:
                gaps.append(f"{name}.{lang}.md is missing")
    if not problem.title.zh:
        gaps.append("problem.toml: key `zh.title` is missing")
    untitled = [case.name for case in problem.cases if not case.title.zh]
    if untitled:
        gaps.append(f"problem.toml: `zh.cases` lacks {', '.join(untitled)}")
    known = [s for s in problem.submissions if s.is_mistake]
    silent = [s.name for s in known if not s.sentence.en]
    if silent:
        gaps.append(f"submissions without a docstring that says what is wrong: {', '.join(silent)}")
    unspoken = [s.name for s in known if s.sentence.en and not s.sentence.zh]
    if unspoken:
        gaps.append(f"problem.toml: `zh.mistakes` lacks {', '.join(unspoken)}")
    accepted = sum(not s.is_mistake for s in problem.submissions)
    if len(known) < MIN_MISTAKES:
        gaps.append(f"{len(known)} known mistakes, a good problem has at least {MIN_MISTAKES}")
    if accepted < MIN_ACCEPTED:
        gaps.append(f"{accepted} accepted answers beside the reference, a good problem has at least {MIN_ACCEPTED}")
    return gaps
