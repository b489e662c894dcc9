"""What a learner has done: pages of history, problems solved, best times, revealed solutions, days."""

from __future__ import annotations

import dataclasses
from datetime import UTC, date, datetime, timedelta, timezone

from sqlalchemy import text

from judge.store import Store
from tests.records import claimed, report, submit


def test_a_page_of_history_begins_before_an_id(store: Store) -> None:
    numbers = [submit(store).id for _ in range(3)]
    assert [view.submission.id for view in store.submissions("ada", before=numbers[2], limit=1)] == [numbers[1]]


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
