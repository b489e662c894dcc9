"""From the outcomes of a problem's jobs to what `verify` says about it: errors, warnings, the table of cases."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field

from judge.model import BankSubmission, Problem
from judge.proving.gaps import docstrings, gaps
from judge.proving.jobs import Job, Outcome, Run
from judge.proving.mutants import Mutant, MutantResult, settle

MAX_ROUND_TRIPS = 60
SEARCHES = ("search", "dispute")
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
class Entry:
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


def prove(problem: Problem, pairs: list[tuple[Entry, Outcome]], publish: bool) -> VerifyResult:
    """What the outcomes of a problem's jobs say about it."""
    result = VerifyResult(problem.slug)
    result.gradings = sum(len(outcome.runs) for _, outcome in pairs)
    broken = list(dict.fromkeys(outcome.error or _broken(outcome) for _, outcome in pairs))
    result.errors += [error for error in broken if error]
    if result.errors:
        return result
    submitted = [(entry, outcome) for entry, outcome in pairs if entry.submission and entry.job.kind not in SEARCHES]
    for entry, outcome in submitted:
        _check_verdicts(entry, outcome, result)
    for entry, outcome in pairs:
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


def _check_verdicts(entry: Entry, outcome: Outcome, result: VerifyResult) -> None:
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


def _check_reference(submitted: list[tuple[Entry, Outcome]], result: VerifyResult) -> None:
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
    """A mistake counts as caught by a case if a run of the case failed: with any seed, as far as that one went."""
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
