"""Rules of the records: nothing acknowledged is lost, learners see their own, every step is a change."""

from __future__ import annotations

import dataclasses

import pytest
from sqlalchemy import create_engine, text

from judge.model import CaseResult
from judge.store import Store
from tests.records import CASES, claimed, report, submit, together

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
