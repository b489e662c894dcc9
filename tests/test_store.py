"""Rules of the records: nothing acknowledged is lost, one verdict for each judging, learners see their own."""

from __future__ import annotations

import dataclasses
import itertools
import multiprocessing
import threading
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from sqlalchemy import create_engine, text

from judge.model import CaseResult
from judge.store import MAX_TRIES, Claim, DraftConflict, Store
from tests.records import CASES, SMALLEST, claimed, report, submit, together

# accept


def test_submission_is_in_the_database_before_submit_returns(store: Store) -> None:
    submit(store, b"source")
    with create_engine(store.engine.url).connect() as another:
        found = another.execute(
            text("SELECT s.source, j.status FROM submission s JOIN judging j ON j.submission_id = s.id")
        )
        assert [(bytes(source), status) for source, status in found] == [(b"source", "queued")]


def test_same_client_id_gives_the_same_submission(store: Store) -> None:
    first, created = store.submit(learner="ada", problem="p", source=b"1", client_id="k")
    again, created_again = store.submit(learner="ada", problem="p", source=b"1", client_id="k")
    assert (created, created_again) == (True, False)
    assert again == first
    assert len(store.submissions("ada")) == 1


def test_client_ids_of_two_learners_are_apart(store: Store) -> None:
    assert store.submit(learner="ada", problem="p", source=b"1", client_id="k")[1]
    assert store.submit(learner="bob", problem="p", source=b"2", client_id="k")[1]


def test_one_client_id_from_many_threads_makes_one_submission(store: Store) -> None:
    made: list[bool] = []

    def press() -> None:
        made.append(store.submit(learner="ada", problem="p", source=b"1", client_id="k")[1])

    together([press] * 8)
    assert sorted(made) == [False] * 7 + [True]


# read


def test_learner_sees_only_their_own(store: Store) -> None:
    number = submit(store, learner="ada").id
    assert store.submission(number, "ada")
    assert store.submission(number, "bob") is None
    assert store.submissions("bob") == []


def test_report_comes_back_as_it_was_graded(store: Store) -> None:
    number = submit(store)
    graded = dataclasses.replace(report(), source_sha256=number.source_sha256)
    store.finish(claimed(store), graded, problem_digest="d")
    view = store.submission(number.id)
    assert view is not None
    assert view.report == graded
    assert view.judging.problem_digest == "d"


def test_unfinished_judging_has_no_report(store: Store) -> None:
    view = store.submission(submit(store).id)
    assert view is not None
    assert view.report is None


def test_any_printed_text_can_be_stored(store: Store) -> None:
    number = submit(store).id
    case = CaseResult("test_a", False, "RTE", stdout="\0\udcff\U0001f600", traceback="\ud800")
    assert store.finish(claimed(store), report("RTE", (case,)))
    view = store.submission(number)
    assert view is not None
    assert view.cases[0].stdout == "␀?\U0001f600"


def test_lists_are_newest_first_and_of_one_problem(store: Store) -> None:
    numbers = [submit(store, problem=problem).id for problem in ("a", "b", "a")]
    assert [view.submission.id for view in store.submissions("ada", "a")] == [numbers[2], numbers[0]]
    assert len(store.submissions("ada", limit=2)) == 2


def test_solved_needs_a_whole_accepted_submission(store: Store) -> None:
    store.submit(learner="ada", problem="sampled", source=b"", samples_only=True)
    submit(store, problem="solved")
    submit(store, problem="wrong")
    for verdict in ("AC", "AC", "WA"):
        store.finish(claimed(store), report(verdict))
    submit(store, problem="solved")
    assert store.solved("ada") == {"sampled": "tried", "solved": "solved", "wrong": "tried"}


def test_a_rejudge_takes_solved_away_only_with_its_verdict(store: Store) -> None:
    number = submit(store).id
    store.finish(claimed(store), report("AC"))
    store.rejudge(number, seed=5)
    assert store.solved("ada") == {"attention": "solved"}
    claim = claimed(store)
    assert claim.seed == 5
    store.finish(claim, report("WA"))
    assert store.solved("ada") == {"attention": "tried"}


def test_newest_judging_is_shown(store: Store) -> None:
    number = submit(store).id
    store.finish(claimed(store), report("AC"))
    again = store.rejudge(number)
    view = store.submission(number)
    assert view is not None
    assert (view.judging, view.cases) == (again, ())
    assert [v.judging.id for v in store.submissions("ada")] == [again.id]


def test_rejudge_of_nothing_is_an_error(store: Store) -> None:
    with pytest.raises(LookupError):
        store.rejudge(9)


def test_ahead_counts_what_comes_first(store: Store) -> None:
    numbers = [submit(store).id for _ in range(3)]
    judgings = [view.judging.id for number in numbers if (view := store.submission(number))]
    assert [store.ahead(judging) for judging in judgings] == [0, 1, 2]
    store.finish(claimed(store), report())
    assert [store.ahead(judging) for judging in judgings] == [0, 0, 1]


# cancel


def test_only_what_has_not_begun_is_cancelled(store: Store) -> None:
    number = submit(store).id
    assert not store.cancel(number, "bob")
    assert store.cancel(number, "ada")
    assert store.claim("w", 60) is None
    begun = submit(store).id
    claimed(store)
    assert not store.cancel(begun, "ada")


# claim and verdict


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


# changes


def test_every_step_is_a_change(store: Store) -> None:
    since = store.newest_version()
    seen = []

    def look() -> None:
        nonlocal since
        (change,) = store.changes(since)
        since = change.version
        seen.append((change.submission_id, change.learner, change.status))

    number = submit(store).id
    look()
    claim = claimed(store)
    look()
    store.record_cases(claim, CASES[:1])
    look()
    store.finish(claim, report())
    look()
    store.set_diagnosis(claim, None)
    look()
    assert seen == [(number, "ada", status) for status in ("queued", "running", "running", "done", "done")]
    assert store.changes(since) == []


# drafts


def test_draft_is_kept_with_its_etag(store: Store) -> None:
    saved = store.save_draft("ada", "p", "text", None)
    assert store.draft("ada", "p") == saved
    assert store.save_draft("ada", "p", "more", saved.etag).text == "more"
    assert store.draft("bob", "p") is None


@pytest.mark.parametrize("if_match", [None, "stale"])
def test_changed_draft_is_not_overwritten(store: Store, if_match: str | None) -> None:
    mine = store.save_draft("ada", "p", "from this tab", None)
    with pytest.raises(DraftConflict) as conflict:
        store.save_draft("ada", "p", "from another tab", if_match)
    assert conflict.value.current == mine
    assert store.draft("ada", "p") == mine


def test_same_text_is_no_conflict(store: Store) -> None:
    saved = store.save_draft("ada", "p", "text", None)
    assert store.save_draft("ada", "p", "text", "stale") == saved


def test_draft_can_be_overwritten_on_purpose(store: Store) -> None:
    store.save_draft("ada", "p", "text", None)
    assert store.save_draft("ada", "p", "other", "*").text == "other"


def test_draft_is_never_judged(store: Store) -> None:
    store.save_draft("ada", "p", "text", None)
    assert store.claim("w", 60) is None


# history


def test_a_page_of_history_begins_before_an_id(store: Store) -> None:
    numbers = [submit(store).id for _ in range(3)]
    assert [view.submission.id for view in store.submissions("ada", before=numbers[2], limit=1)] == [numbers[1]]


def test_progress_has_the_best_time_and_the_attempts(store: Store) -> None:
    store.submit(learner="ada", problem="attention", source=b"", samples_only=True)
    for _ in range(3):
        submit(store)
    for verdict, time_ms in (("AC", 0.5), ("WA", 1.0), ("AC", 4.0), ("AC", 3.0)):
        store.finish(claimed(store), dataclasses.replace(report(verdict), time_ms=time_ms))
    first, second = store.submissions("ada")[-1], store.submissions("ada")[1]
    found = store.progress("ada")["attention"]
    assert (found.state, found.attempts, found.best_ms) == ("solved", 3, 3.0)
    assert found.solved_at == second.submission.created_at > first.submission.created_at
    assert store.progress_of(["ada", "bob"]) == {"ada": {"attention": found}}


def test_a_revealed_solution_is_on_record_and_solves_nothing(store: Store) -> None:
    at = store.reveal("ada", "attention")
    assert store.reveal("ada", "attention") == at
    assert (store.reveals("ada"), store.reveals("bob")) == ({"attention": at}, {})
    submit(store)
    assert (store.progress("ada")["attention"].revealed_at, store.solved("ada")) == (at, {"attention": "tried"})


def test_days_are_those_of_the_readers_calendar(store: Store) -> None:
    number = submit(store).id
    noon = datetime(2026, 3, 1, 22, 30, tzinfo=UTC).timestamp()
    with store.write() as connection:
        connection.execute(text("UPDATE submission SET created_at = :at WHERE id = :id"), {"at": noon, "id": number})
    assert store.activity("ada", UTC) == {date(2026, 3, 1): 1}
    assert store.activity("ada", timezone(timedelta(hours=8))) == {date(2026, 3, 2): 1}
    assert store.activity("ada", UTC, since=noon + 1) == {}


def _cases(store: Store, number: int) -> tuple[CaseResult, ...]:
    view = store.submission(number)
    assert view is not None
    return view.cases


def _claim_all(url: str) -> list[int]:
    store, taken = Store(url), []
    while claim := store.claim("w", 60):
        taken.append(claim.submission_id)
    return taken
