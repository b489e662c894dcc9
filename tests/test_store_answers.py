"""Records of answers to quizzes."""

from __future__ import annotations

from pathlib import Path

import pytest
from records import open_store
from sqlalchemy import func, select

from judge.store import Answered, Store
from judge.store.tables import answer


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path)


def test_the_newest_answer_counts_until_one_is_right(store: Store) -> None:
    store.keep_answer("ada", "masks", "one", "3", False)
    store.keep_answer("ada", "masks", "one", "4", False)
    known = store.answers("ada")["masks"]["one"]
    assert (known.text, known.correct, known.tries) == ("4", False, 2)
    right = store.keep_answer("ada", "masks", "one", "5", True)
    assert (right.correct, right.tries, right.settled) == (True, 3, True)
    assert store.keep_answer("ada", "masks", "one", "6", False) == right
    assert store.keep_answer("ada", "masks", "one", None, False) == right
    with store.read() as connection:
        assert connection.scalar(select(func.count()).select_from(answer)) == 3


def test_what_was_shown_never_becomes_right(store: Store) -> None:
    shown = store.keep_answer("ada", "masks", "one", None, False)
    assert (shown.revealed, shown.correct, shown.tries) == (True, False, 0)
    assert store.keep_answer("ada", "masks", "one", "5", True) == shown


def test_answers_are_the_learners_own(store: Store) -> None:
    store.keep_answer("ada", "masks", "one", "5", True)
    store.keep_answer("ada", "heads", "one", "\0\ud800", False)
    assert store.answers("bob") == {}
    assert set(store.answers("ada")) == {"masks", "heads"}
    assert store.answers("ada")["heads"]["one"].text == "␀?"
    store.keep_answer("bob", "masks", "one", None, False)
    assert store.answers_of(["ada", "bob", "eve"]) == {name: store.answers(name) for name in ("ada", "bob")}


def test_answers_from_before_a_sign_in_join_those_of_the_account(store: Store) -> None:
    account = store.create_account("ada", "correct horse 42")
    store.keep_answer("before", "masks", "one", None, False)
    store.keep_answer(account.learner, "masks", "one", "5", True)
    store.keep_answer("before", "masks", "two", "7", True)
    store.join("before", account)
    joined = store.answers(account.learner)["masks"]
    assert joined["one"].revealed
    assert joined["two"] == Answered("7", True, 1, joined["two"].answered_at)
    assert store.answers("before") == {}
