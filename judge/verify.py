"""Proves a problem: every submission in its folder gets the verdict its folder names, with every seed.

    errors      the problem does not load; a wrong verdict; verdicts that change with the seed; a hidden case that no
                known mistake needs and that does not say what it guards; more than 60 round trips; a small failing
                input that is found for an accepted answer; with `mutants`, a changed reference that no case notices
                and equivalent.toml does not list
    warnings    a mistake that the diagnosis does not name; what `judge.gaps` lists and more than a tenth of
                equivalent mutants (errors with `publish`)

With `mutants` or `publish` a small failing input is looked for in each mistake; how many have one is counted.
`table` tells for every case which mistakes it catches, and which of them nothing else catches. Gradings that were done
before with the same content are not done again, see `judge.cache`.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judge.cache import Cache
from judge.gaps import docstrings, gaps
from judge.jobs import Job, Kind, Outcome, Run, cores, perform
from judge.loader import ProblemError, load_problem
from judge.model import BankSubmission, Problem, Text
from judge.mutants import Mutant, MutantResult, mutants_of, settle

MAX_ROUND_TRIPS = 60
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
    """What `verify` found in one problem. `gradings` counts submissions times seeds, `cached` those not done again."""

    slug: str
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    table: list[CaseRow] = field(default_factory=list)
    gradings: int = 0
    cached: int = 0
    round_trips: int = 0
    diagnosed: int = 0
    mistakes: int = 0
    searched: int = 0
    shrunk: int = 0
    smallest_ms: float | None = None
    """Median over the `shrunk` mistakes: those of the `searched` for which a small failing input was found."""
    mutants: MutantResult | None = None

    @property
    def ok(self) -> bool:
        return not self.errors


@dataclass(frozen=True)
class _Entry:
    """A submission or a mutant with its job."""

    job: Job
    submission: BankSubmission | None = None
    mutant: Mutant | None = None

    @property
    def place(self) -> str:
        assert self.submission is not None
        path = self.submission.path
        if self.job.kind in ("reference", "starter"):
            return path.name
        return f"submissions/{path.parent.name}/{path.name}"


class _Work:
    """One problem's jobs, and their outcomes as they come in."""

    def __init__(self, problem: Problem, entries: list[_Entry], cache: Cache | None, sandbox: str) -> None:
        self.problem, self.entries, self.cache = problem, entries, cache
        self.outcomes: list[Outcome | None] = [None] * len(entries)
        others = [(s.name, s.source, s.expected, bool(s.sentence.en)) for s in problem.submissions if s.is_mistake]
        self.keys = [_key(cache, sandbox, entry.job, others) for entry in entries] if cache else []
        for number, key in enumerate(self.keys):
            kept = cache.get(key) if cache else None
            self.outcomes[number] = Outcome.from_json(kept) if kept else None
        self.cached = sum(outcome is not None for outcome in self.outcomes)

    def put(self, number: int, outcome: Outcome) -> None:
        self.outcomes[number] = outcome
        if self.cache and outcome.runs and not _by_chance(outcome, self.entries[number]):
            self.cache.put(self.keys[number], outcome.as_json())

    @property
    def done(self) -> bool:
        return None not in self.outcomes


def _by_chance(outcome: Outcome, entry: _Entry) -> bool:
    """Whether a busy machine or a fault of the judge may have made these verdicts: another run may give others."""
    expected = entry.submission.expected if entry.submission else ()
    return any(run.verdict in ("TLE", "MLE", "JE") and run.verdict not in expected for run in outcome.runs)


def _key(cache: Cache, sandbox: str, job: Job, mistakes: list[Any]) -> str:
    """A mistake's result depends on all mistakes: the diagnosis is between them."""
    return cache.key(sandbox, job.kind, job.source, job.seeds, mistakes if job.kind == "mistake" else ())


def verify(
    bank: Path,
    slugs: Iterable[str],
    *,
    seeds: int = 1,
    publish: bool = False,
    mutants: bool = False,
    sandbox: str = "auto",
    processes: int | None = None,
    cache: bool = False,
    on_progress: Callable[[str, int, int], None] | None = None,
) -> Iterator[VerifyResult]:
    """Verifies problems, spread over processes, and yields their results in order.

    `on_progress(slug, done, of)` counts the gradings of all problems together.
    """
    order = list(slugs)
    works: dict[str, _Work] = {}
    faults: dict[str, str] = {}
    for slug in order:
        try:
            problem = load_problem(bank, slug)
            numbers = tuple(range(FIRST_SEED, FIRST_SEED + max(1, seeds)))
            entries = _entries(bank, problem, numbers, search=mutants or publish, mutants=mutants)
            works[slug] = _Work(problem, entries, Cache(problem) if cache else None, sandbox)
        except ProblemError as error:
            faults[slug] = str(error)
    left = [(slug, n) for slug, work in works.items() for n, outcome in enumerate(work.outcomes) if outcome is None]
    jobs = [works[slug].entries[n].job for slug, n in left]
    outcomes = perform(jobs, sandbox, min(processes or cores(), max(1, len(jobs))))
    done = 0
    for slug in order:
        if slug in faults:
            yield VerifyResult(slug, errors=[faults[slug]])
            continue
        while not works[slug].done:
            number, outcome = next(outcomes)
            works[left[number][0]].put(left[number][1], outcome)
            done += 1
            if on_progress is not None:
                on_progress(left[number][0], done, len(jobs))
        yield _judge(works[slug], publish)


def _entries(bank: Path, problem: Problem, seeds: tuple[int, ...], *, search: bool, mutants: bool) -> list[_Entry]:
    """The reference, the starter (which must fail), the folder's submissions; if wanted each mistake once more for the
    search of a small failing input, and the mutants."""
    path = problem.folder / "reference.py"
    reference = BankSubmission("reference", path, path.read_bytes(), ("AC",), Text(""))
    path = problem.folder / "starter.py"
    starter = BankSubmission("starter", path, path.read_bytes(), ("WA", "RTE", "CE", "TLE", "RF"), Text(""))
    listed: list[tuple[Kind, BankSubmission]] = [("reference", reference), ("starter", starter)]
    listed += [("mistake" if s.is_mistake else "accepted", s) for s in problem.submissions]
    entries = [_Entry(Job(bank, problem.slug, kind, s.source, seeds), submission=s) for kind, s in listed]
    if search:
        searches = [s for s in problem.submissions if s.is_mistake]
        entries += [_Entry(Job(bank, problem.slug, "search", s.source, seeds[:1]), submission=s) for s in searches]
    for mutant in mutants_of(reference.source.decode("utf-8")) if mutants else []:
        job = Job(bank, problem.slug, "mutant", mutant.source.encode(), seeds[:1])
        entries.append(_Entry(job, mutant=mutant))
    return entries


def _judge(work: _Work, publish: bool) -> VerifyResult:
    problem, result = work.problem, VerifyResult(work.problem.slug, cached=work.cached)
    if work.cache:
        work.cache.save()
    pairs = [(entry, outcome) for entry, outcome in zip(work.entries, work.outcomes, strict=True) if outcome]
    result.gradings = sum(len(outcome.runs) for _, outcome in pairs)
    broken = list(dict.fromkeys(outcome.error or _broken(outcome) for _, outcome in pairs))
    result.errors += [error for error in broken if error]
    if result.errors:
        return result
    submitted = [(entry, outcome) for entry, outcome in pairs if entry.submission and entry.job.kind != "search"]
    for entry, outcome in submitted:
        _check_verdicts(entry, outcome, result)
        if outcome.disputed:
            told = "is accepted, but the search for a small failing input finds fault with it on what `inputs` draws"
            result.errors.append(f"{entry.place}: {told}: {outcome.disputed}")
    _check_reference(submitted, result)
    mistakes = [(entry.submission, o) for entry, o in submitted if entry.submission and entry.job.kind == "mistake"]
    _check_diagnosis(mistakes, result)
    _count_smallest([outcome for entry, outcome in pairs if entry.job.kind == "search"], result)
    result.round_trips = next(outcome.round_trips for entry, outcome in submitted if entry.job.kind == "reference")
    if result.round_trips > MAX_ROUND_TRIPS:
        result.errors.append(f"tests.py: {result.round_trips} round trips for all cases, at most {MAX_ROUND_TRIPS}")
    result.table = _table(problem, {s.name: outcome.runs for s, outcome in mistakes})
    for row in result.table:
        if not row.sample and not row.sole and not row.guards:
            result.errors.append(
                f"tests.py: `{row.name}` catches no mistake that no other case catches; add a mistake that needs it, "
                f"or a line `{GUARDS} ...` to its docstring that says what it is for"
            )
    lacking = gaps(problem)
    verdicts = {entry.mutant: outcome.runs[0].verdict for entry, outcome in pairs if entry.mutant}
    if verdicts:
        result.mutants = settle(problem.folder, verdicts)
        result.errors += result.mutants.errors
        lacking += [result.mutants.too_many] if result.mutants.too_many else []
    (result.errors if publish else result.warnings).extend(lacking)
    return result


def _broken(outcome: Outcome) -> str:
    """What the judge says of itself where a verdict is JE: a test that raises by itself, a sandbox that fails."""
    told = next((run.internal for run in outcome.runs if run.internal), "")
    return told.removeprefix("TestsBroken: ")


def _check_verdicts(entry: _Entry, outcome: Outcome, result: VerifyResult) -> None:
    assert entry.submission is not None
    expected = entry.submission.expected
    for run in outcome.runs:
        if run.verdict not in expected:
            where = f" in `{run.failed[0]}`" if run.failed else ""
            result.errors.append(
                f"{entry.place}: {run.verdict}{where} with seed {run.seed}, expected {' or '.join(expected)}"
            )
            return
    if len({run.verdict for run in outcome.runs}) > 1 and len(expected) == 1:
        result.errors.append(f"{entry.place}: the verdict changes with the seed")


def _check_reference(submitted: list[tuple[_Entry, Outcome]], result: VerifyResult) -> None:
    """Tests that ask the reference cannot fail it; that it is wrong shows where all right answers differ from it."""
    answers = [outcome for entry, outcome in submitted if entry.job.kind == "accepted"]
    failed = [run.failed[0] for outcome in answers for run in outcome.runs[:1] if run.failed]
    if answers and len(failed) == len(answers):
        names = ", ".join(f"`{name}`" for name in dict.fromkeys(failed))
        result.errors.insert(0, f"reference.py: is probably wrong, every accepted answer differs from it, in {names}")


def _check_diagnosis(mistakes: list[tuple[BankSubmission, Outcome]], result: VerifyResult) -> None:
    result.mistakes = len(mistakes)
    for submission, outcome in mistakes:
        if outcome.diagnosis == submission.name:
            result.diagnosed += 1
        elif outcome.diagnosable:
            told = f"`{outcome.diagnosis}`" if outcome.diagnosis else "nothing"
            result.warnings.append(
                f"submissions/{submission.path.parent.name}/{submission.path.name}: the diagnosis of this mistake "
                f"names {told}, so a learner who makes it does not read its sentence"
            )


def _count_smallest(searches: list[Outcome], result: VerifyResult) -> None:
    times = [outcome.smallest_ms for outcome in searches if outcome.smallest_ms is not None]
    result.searched = sum(outcome.searched for outcome in searches)
    result.shrunk = len(times)
    result.smallest_ms = round(statistics.median(times), 1) if times else None


def _table(problem: Problem, mistakes: dict[str, tuple[Run, ...]]) -> list[CaseRow]:
    """A mistake counts as caught by a case if any seed's run of the case failed."""
    caught: dict[str, set[str]] = {}
    for name, runs in mistakes.items():
        for failed in {case for run in runs for case in run.failed}:
            caught.setdefault(failed, set()).add(name)
    told = docstrings(problem.folder / "tests.py")
    rows = []
    for case in problem.cases:
        mine = caught.get(case.name, set())
        others = set().union(*(names for name, names in caught.items() if name != case.name))
        lines = [line.strip() for line in told.get(case.name, "").splitlines()[1:]]
        guards = next((line for line in lines if line.startswith(GUARDS)), "")
        rows.append(CaseRow(case.name, case.title.en, case.sample, tuple(sorted(mine)), tuple(sorted(mine - others)),
                            guards))  # fmt: skip
    return rows
