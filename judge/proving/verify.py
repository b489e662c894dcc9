"""Proves a problem: every submission in its folder gets the verdict its folder names, with every seed.

    errors      the problem does not load; a wrong verdict; verdicts that change with the seed; a hidden case that no
                known mistake needs and that does not say what it guards; more than 60 round trips; with `mutants`, a
                changed reference that no case notices and equivalent.toml does not list; with
                `publish`, a small failing input that is found for an accepted answer
    warnings    a mistake that the diagnosis does not name; what `judge.proving.gaps` lists and more than a tenth of
                equivalent mutants (errors with `publish`)

With `publish` a small failing input is looked for in each mistake; how many have one is counted.
The table tells for every case which mistakes it catches, and which of them nothing else catches.

    cache -> what was graded before     pool -> jobs in processes     proof -> what their outcomes say
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from judge.loader import ProblemError, load_problem
from judge.model import BankSubmission, Problem, Text
from judge.proving.cache import Cache
from judge.proving.jobs import Job, Kind, Outcome
from judge.proving.mutants import mutants_of
from judge.proving.pool import perform
from judge.proving.proof import Entry, VerifyResult, prove
from sandbox.processes import cores

FIRST_SEED = 1


class _Work:
    """One problem's jobs, and their outcomes as they come in."""

    def __init__(self, problem: Problem, entries: list[Entry], cache: Cache | None, sandbox: str) -> None:
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

    def result(self, publish: bool) -> VerifyResult:
        if self.cache:
            self.cache.save()
        pairs = [(entry, outcome) for entry, outcome in zip(self.entries, self.outcomes, strict=True) if outcome]
        result = prove(self.problem, pairs, publish)
        result.cached = self.cached
        return result


def _by_chance(outcome: Outcome, entry: Entry) -> bool:
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
            entries = _entries(bank, problem, numbers, search=publish, mutants=mutants)
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
        yield works[slug].result(publish)


def _entries(bank: Path, problem: Problem, seeds: tuple[int, ...], *, search: bool, mutants: bool) -> list[Entry]:
    """The reference, the starter (which must fail), the folder's submissions; if wanted each submission once more for
    the search of a small failing input, and the mutants."""
    path = problem.folder / "reference.py"
    reference = BankSubmission("reference", path, path.read_bytes(), ("AC",), Text(""))
    path = problem.folder / "starter.py"
    starter = BankSubmission("starter", path, path.read_bytes(), ("WA", "RTE", "CE", "TLE", "RF"), Text(""))
    listed: list[tuple[Kind, BankSubmission]] = [("reference", reference), ("starter", starter)]
    listed += [("mistake" if s.is_mistake else "accepted", s) for s in problem.submissions]
    entries = [Entry(Job(bank, problem.slug, kind, s.source, seeds), submission=s) for kind, s in listed]
    if search:
        searches: list[tuple[Kind, BankSubmission]] = [
            ("search" if s.is_mistake else "dispute", s) for s in problem.submissions
        ]
        entries += [Entry(Job(bank, problem.slug, kind, s.source, seeds[:1]), submission=s) for kind, s in searches]
    for mutant in mutants_of(reference.source.decode("utf-8")) if mutants else []:
        job = Job(bank, problem.slug, "mutant", mutant.source.encode(), seeds[:1])
        entries.append(Entry(job, mutant=mutant))
    return entries
