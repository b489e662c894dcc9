"""Rules of the queue in the store: each judging is claimed once, gets one verdict, and is never lost."""

from __future__ import annotations

import functools
import itertools
import multiprocessing
import threading
from collections.abc import Callable

import pytest

from judge.model import CaseResult
from judge.store import MAX_TRIES, Claim, Store
from tests.records import CASES, SMALLEST, claimed, report, submit, together


def test_ahead_counts_what_comes_first(store: Store) -> None:
    numbers = [submit(store).id for _ in range(3)]
    judgings = [view.judging.id for number in numbers if (view := store.submission(number))]
    assert [store.ahead(judging) for judging in judgings] == [0, 1, 2]
    store.finish(claimed(store), report())
    assert [store.ahead(judging) for judging in judgings] == [0, 0, 1]


def test_only_what_has_not_begun_is_cancelled(store: Store) -> None:
    number = submit(store).id
    assert not store.cancel(number, "bob")
    assert store.cancel(number, "ada")
    assert store.claim("w", 60) is None
    begun = submit(store).id
    claimed(store)
    assert not store.cancel(begun, "ada")


def test_oldest_is_claimed_first(store: Store) -> None:
    numbers = [submit(store).id for _ in range(2)]
    assert [claimed(store).submission_id for _ in numbers] == numbers
    assert store.claim("w", 60) is None


def test_learners_take_turns(store: Store) -> None:
    many = [submit(store, learner="many").id for _ in range(3)]
    one, other = submit(store, learner="one").id, submit(store, learner="other").id
    assert claimed(store).submission_id == many[0]
    late = submit(store, learner="late").id
    order = [claimed(store).submission_id for _ in range(5)]
    assert order == [one, other, late, *many[1:]]


def test_what_a_learner_waits_for_goes_before_rejudges(store: Store) -> None:
    old = submit(store).id
    store.finish(claimed(store), report())
    judging = store.rejudge(old).id
    new = submit(store).id
    assert store.ahead(judging) == 1
    assert [claimed(store).submission_id for _ in range(2)] == [new, old]


def test_claim_brings_what_a_grading_needs(store: Store) -> None:
    store.submit(learner="ada", problem="p", source=b"src", samples_only=True)
    claim = claimed(store)
    assert (claim.problem, claim.source, claim.samples_only, claim.seed, claim.tries) == ("p", b"src", True, None, 1)


def test_threads_claim_none_twice(store: Store) -> None:
    numbers = [submit(store).id for _ in range(60)]
    taken: list[int] = []

    def work() -> None:
        while claim := store.claim(threading.current_thread().name, 60):
            taken.append(claim.submission_id)

    together([work] * 8)
    assert sorted(taken) == numbers


def test_processes_claim_none_twice(store: Store) -> None:
    numbers = [submit(store).id for _ in range(60)]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        taken = pool.map(_claim_all, [str(store.engine.url)] * 2)
    assert sorted(itertools.chain(*taken)) == numbers


def test_second_verdict_is_not_stored(store: Store) -> None:
    number = submit(store).id
    claim = claimed(store)
    assert store.finish(claim, report("AC"))
    assert not store.finish(claim, report("WA"))
    view = store.submission(number)
    assert view is not None
    assert (view.judging.verdict, len(view.cases)) == ("AC", len(CASES))


def test_late_worker_cannot_write_after_another_claim(store: Store) -> None:
    number = submit(store).id
    late = claimed(store, lease_s=-1, worker="late")
    assert store.expire() == 1
    current = claimed(store, worker="current")
    assert not store.renew(late, 60)
    assert not store.record_cases(late, CASES)
    assert not store.finish(late, report("WA"))
    assert not store.give_back(late, "late")
    assert store.finish(current, report("AC"))
    assert not store.set_diagnosis(late, "mistake")
    view = store.submission(number)
    assert view is not None
    assert (view.judging.verdict, view.judging.tries, view.judging.diagnosis) == ("AC", 2, None)


def test_the_cases_of_the_verdict_replace_those_stored_before(store: Store) -> None:
    number = submit(store).id
    claim = claimed(store)
    assert store.record_cases(claim, [*CASES, *CASES])
    assert store.finish(claim, report())
    view = store.submission(number)
    assert view is not None
    assert view.cases == CASES


def test_nobody_waits_for_each_other_in_a_circle(store: Store) -> None:
    """Submitting (also the same twice), cancelling, claiming, giving back and finishing at once."""
    numbers: list[int] = []

    def learner(name: str) -> None:
        for n in range(25):
            view, created = store.submit(learner="ada", problem="p", source=b"", client_id=f"{n}{name[0]}")
            if created:
                numbers.append(view.submission.id)
            if n % 3 == 0:
                store.cancel(view.submission.id, "ada")

    def worker(name: str) -> None:
        for n in range(60):
            claim = store.claim(name, 60)
            if claim and n % 5:
                assert store.record_cases(claim, CASES[:1])
                assert store.finish(claim, report())
            elif claim:
                assert store.give_back(claim, "n")

    learners = [functools.partial(learner, name) for name in ("a1", "a2", "b1", "b2")]
    together([*learners, *(functools.partial(worker, f"w{n}") for n in range(4))])
    assert len(numbers) == 50
    while claim := store.claim("last", 60):
        store.finish(claim, report())
    states = [view.judging.status for view in store.submissions("ada", limit=100)]
    assert len(states) == 50
    assert set(states) <= {"done", "cancelled"}
    assert sum(tally.judgings for tally in store.tallies()) == states.count("done")


def test_renewed_lease_does_not_expire(store: Store) -> None:
    submit(store)
    claim = claimed(store, lease_s=-1)
    assert store.renew(claim, 60)
    assert store.expire() == 0
    assert store.expire(longest_s=30) == 1


def test_a_clock_set_back_holds_no_lease_for_ever(store: Store) -> None:
    submit(store)
    claimed(store, lease_s=3600)
    assert store.expire() == 1


WAYS_BACK: dict[str, Callable[[Store, Claim], int]] = {
    "give_back": lambda store, claim: store.give_back(claim, "no sandbox"),
    "expire": lambda store, claim: store.expire(),
    "release": lambda store, claim: store.release_worker("w"),
}


@pytest.mark.parametrize("way", WAYS_BACK)
def test_third_failure_is_a_judge_error(store: Store, way: str) -> None:
    number = submit(store).id
    for _ in range(MAX_TRIES):
        claim = claimed(store, lease_s=-1)
        assert store.record_cases(claim, CASES)
        assert WAYS_BACK[way](store, claim) == 1
    assert store.claim("w", 60) is None
    view = store.submission(number)
    assert view is not None
    assert view.report is not None
    assert (view.report.verdict, view.report.finding) == ("JE", {"code": "judge_error"})
    assert view.cases == ()
    assert view.judging.internal.count("try ") == MAX_TRIES


def test_cases_appear_while_it_runs_and_leave_with_a_failed_try(store: Store) -> None:
    number = submit(store).id
    claim = claimed(store)
    store.record_cases(claim, CASES[:1])
    store.record_cases(claim, CASES[1:2])
    assert _cases(store, number) == CASES[:2]
    store.give_back(claim, "fault")
    assert _cases(store, number) == ()
    again = claimed(store)
    store.record_cases(again, CASES[:2])
    store.finish(again, report())
    assert _cases(store, number) == CASES


def test_diagnosis_follows_the_verdict(store: Store) -> None:
    number = submit(store).id
    claim = claimed(store)
    assert not store.set_diagnosis(claim, "early")
    store.finish(claim, report(), diagnosing=True)
    view = store.submission(number)
    assert view is not None
    assert view.judging.diagnosing
    assert store.set_diagnosis(claim, "no_scale", SMALLEST)
    view = store.submission(number)
    assert view is not None
    assert (view.judging.diagnosis, view.judging.diagnosing) == ("no_scale", False)
    assert view.report is not None
    assert view.report.smallest == SMALLEST


def test_only_dead_workers_lose_their_judgings(store: Store) -> None:
    for worker in ("dead", "alive"):
        submit(store)
        claimed(store, worker=worker)
    assert store.release_dead(lambda name: name == "dead") == 1
    assert store.queue_state().running == 1


def _cases(store: Store, number: int) -> tuple[CaseResult, ...]:
    view = store.submission(number)
    assert view is not None
    return view.cases


def _claim_all(url: str) -> list[int]:
    store, taken = Store(url), []
    while claim := store.claim("w", 60):
        taken.append(claim.submission_id)
    return taken
