"""Rules of drafts: none is overwritten unseen; what was saved can be had again, within a bound."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from judge.store import DraftConflict, Store
from judge.store.drafts import MAX_VERSIONS, VERSION_S


def texts(store: Store, learner: str = "ada") -> list[str | None]:
    return [store.version_text(learner, version.id) for version in store.draft_versions(learner, "p")]


def age(store: Store, seconds: float) -> None:
    """Makes everything that was saved older."""
    with store.write() as connection:
        connection.execute(
            text("UPDATE draft_version SET saved_at = saved_at - :s, begun_at = begun_at - :s"), {"s": seconds}
        )


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


def test_typing_on_makes_a_version_only_after_a_while(store: Store) -> None:
    for written in ("a", "ab"):
        store.save_draft("ada", "p", written, "*")
    assert texts(store) == ["ab"]
    age(store, VERSION_S + 1)
    store.save_draft("ada", "p", "abc", "*")
    assert texts(store) == ["abc", "ab"]


@pytest.mark.parametrize("reason", ["reset", "restored", "uploaded"])
def test_a_replaced_text_is_kept_at_once(store: Store, reason: str) -> None:
    store.save_draft("ada", "p", "mine", None)
    store.save_draft("ada", "p", "other", "*", reason)  # type: ignore[arg-type]
    store.save_draft("ada", "p", "other, typed on", "*")
    assert texts(store) == ["other, typed on", "other", "mine"]
    assert [v.reason for v in store.draft_versions("ada", "p")] == ["typed", reason, "typed"]


def test_both_sides_of_a_conflict_are_kept(store: Store) -> None:
    store.save_draft("ada", "p", "one", None)
    with pytest.raises(DraftConflict):
        store.save_draft("ada", "p", "two, été", None)
    assert texts(store) == ["two, été", "one"]
    newest = store.draft_versions("ada", "p")[0]
    assert (newest.reason, newest.bytes) == ("conflict", len("two, été".encode()))
    store.save_draft("ada", "p", "three", "*")
    assert texts(store) == ["three", "two, été", "one"]


def test_a_draft_from_before_the_versions_becomes_one(store: Store) -> None:
    store.save_draft("ada", "p", "old", None)
    with store.write() as connection:
        connection.execute(text("DELETE FROM draft_version"))
    store.save_draft("ada", "p", "new", "*", "reset")
    assert texts(store) == ["new", "old"]


def test_versions_are_the_learners_own(store: Store) -> None:
    store.save_draft("ada", "p", "mine", None)
    (version,) = store.draft_versions("ada", "p")
    assert store.draft_versions("bob", "p") == []
    assert store.version_text("bob", version.id) is None
    assert store.version_text("ada", version.id + 1) is None


def test_versions_are_thinned_out_towards_the_past(store: Store) -> None:
    store.save_draft("ada", "p", "first", None)
    for number in range(MAX_VERSIONS):
        age(store, VERSION_S + 1)
        if number == 3:
            for refused in ("refused", "refused again"):
                with pytest.raises(DraftConflict):
                    store.save_draft("ada", "p", refused, None)
        store.save_draft("ada", "p", f"text {number}", "*")
    kept = texts(store)
    assert len(kept) == MAX_VERSIONS
    assert (kept[0], kept[-1]) == (f"text {MAX_VERSIONS - 1}", "first")
    assert {"refused", "refused again"} <= set(kept)
    assert f"text {MAX_VERSIONS - 2}" in kept
