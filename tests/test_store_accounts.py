"""Rules of the accounts in the store: one name one account, work joins without loss, tokens, limits."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import func, select, text

from judge.store import Account, Allowance, LastAdministrator, NameTaken, Store, names, passwords
from judge.store.tables import metadata
from tests.records import submit

PASSWORD = "correct horse 42"


@pytest.fixture
def ada(store: Store) -> Account:
    return store.create_account("Ada", PASSWORD, learner="ada")


# names and passwords


@pytest.mark.parametrize("same", ["ada", "ADA", "Ａｄａ", " Ada "])
def test_a_name_is_taken_in_every_spelling(store: Store, ada: Account, same: str) -> None:
    with pytest.raises(NameTaken):
        store.create_account(same, PASSWORD)
    assert store.account_named(same) == ada


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("ada", "ada"),
        (" Ａｄａ ", "Ada"),
        ("李雷", "李雷"),
        ("a-b_c.d", "a-b_c.d"),
        ("Zoë", "Zoë"),
        ("é" * 32, "é" * 32),
        ("李Lei-2", "李Lei-2"),
        ("Ελένη", "Ελένη"),
        ("Анна_1", "Анна_1"),
    ],
)
def test_names_are_words_of_any_script(name: str, kept: str) -> None:
    assert names.cleaned(name) == kept


@pytest.mark.parametrize(
    "name", ["", "a", " ", "a b", "a" * 33, "<b>", "a/b", "-ab", "ab.", "a\u200bb", "a\nb", "a\0b", "ﷺﷺﷺ", "\ud800a"]
)
def test_other_names_are_refused(name: str) -> None:
    assert names.cleaned(name) is None


@pytest.mark.parametrize(
    ("password", "fault"),
    [
        ("1234567", "short"), ("x" * 3 + "y" * 198, "long"), ("ﷺ" * 12, "long"), ("password", "common"),
        ("PassWord1", "common"), ("ａｄｍｉｎ１２３", "common"), ("aaaaaaaaab", "common"), ("ada-lovelace", "common"),
        ("correct horse", None), ("密码很长不好猜吗", None),
    ],
)  # fmt: skip
def test_weak_passwords_are_refused(password: str, fault: str | None) -> None:
    assert passwords.problem_with(password, "Ada-Lovelace") == fault


@pytest.mark.parametrize("twin", ["ad\u0430", "\u0391da", "ada\u1160", "a\u115fda", "ada\u3164", "\uffa0\uffa0"])
def test_no_name_looks_like_another(twin: str) -> None:
    assert names.cleaned(twin) is None


def test_only_name_and_password_together_sign_in(store: Store, ada: Account) -> None:
    assert store.sign_in("ada", PASSWORD) == ada
    assert store.sign_in("ada", PASSWORD + "x") is None
    assert store.sign_in("bob", PASSWORD) is None
    assert store.sign_in("ada", "x" * 100_000) is None


def test_a_password_is_the_same_from_every_keyboard(store: Store) -> None:
    store.create_account("bob", "caf\u00e9 au lait")
    assert store.sign_in("bob", "cafe\u0301 au lait")


def test_the_hash_is_argon2id_with_a_salt_of_its_own(store: Store, ada: Account) -> None:
    store.create_account("bob", PASSWORD)
    with store.read() as connection:
        first, second = connection.scalars(text("SELECT password_hash FROM account")).all()
    assert first.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert first != second


def test_a_hash_of_old_parameters_is_made_anew_at_sign_in(store: Store, ada: Account) -> None:
    old = passwords.PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1).hash(PASSWORD)
    with store.write() as connection:
        connection.execute(text("UPDATE account SET password_hash = :old"), {"old": old})
    assert store.sign_in("ada", PASSWORD)
    with store.read() as connection:
        assert "m=19456" in connection.execute(text("SELECT password_hash FROM account")).scalar_one()


# accounts


def test_a_learner_has_one_account(store: Store, ada: Account) -> None:
    with pytest.raises(NameTaken):
        store.create_account("bob", PASSWORD, learner="ada")
    assert store.account_of("ada") == ada
    assert store.account_of("nobody") is None


def test_what_ends_sessions_raises_the_epoch(store: Store, ada: Account) -> None:
    epochs = [
        store.set_password(ada.id, "another one 1").epoch, store.end_sessions(ada.id).epoch,
        store.set_disabled(ada.id, True).epoch,
    ]  # fmt: skip
    assert epochs == [1, 2, 3]
    assert store.set_role(ada.id, "instructor").epoch == 3
    assert store.sign_in("ada", PASSWORD) is None
    assert store.sign_in("ada", "another one 1") == store.account(ada.id)


def test_one_administrator_stays(store: Store) -> None:
    first = store.create_account("root", PASSWORD, role="administrator")
    for change in (lambda: store.set_role(first.id, "learner"), lambda: store.set_disabled(first.id, True)):
        with pytest.raises(LastAdministrator):
            change()
    assert store.account(first.id) == first
    store.create_account("other", PASSWORD, role="administrator")
    assert store.set_role(first.id, "learner").role == "learner"
    with pytest.raises(LookupError):
        store.set_role(99, "learner")


# work from before the sign-in


def test_all_work_joins_and_nothing_is_overwritten(store: Store, ada: Account) -> None:
    number = store.submit(learner="anon", problem="p", source=b"1", client_id="press")[0].submission.id
    mine = store.submit(learner="ada", problem="p", source=b"2", client_id="press")[0].submission.id
    store.save_draft("anon", "p", "typed before", None)
    store.save_draft("anon", "q", "only before", None)
    store.save_draft("ada", "p", "of the account", None)
    at = store.reveal("anon", "p")
    _, secret = store.create_token("anon", "laptop")
    store.join("anon", ada)
    assert [view.submission.id for view in store.submissions("ada")] == [mine, number]
    assert store.submit(learner="ada", problem="p", source=b"2", client_id="press")[0].submission.id == mine
    assert [store.draft("ada", slug).text for slug in "pq"] == ["of the account", "only before"]  # type: ignore[union-attr]
    kept = {store.version_text("ada", version.id) for version in store.draft_versions("ada", "p")}
    assert kept == {"typed before", "of the account"}
    assert store.reveals("ada") == {"p": at}
    assert store.token(secret) is None
    assert store.submissions("anon") == []
    assert store.draft("anon", "p") is None


def test_no_table_of_learners_is_forgotten(store: Store, ada: Account) -> None:
    submit(store, learner="anon")
    store.save_draft("anon", "p", "typed", None)
    store.reveal("anon", "p")
    store.create_token("anon", "laptop")
    store.keep_answer("anon", "quiz", "question", "1", True)
    tables = [table for table in metadata.sorted_tables if "learner" in table.c and table.name != "account"]

    def rows() -> dict[str, int]:
        with store.read() as connection:
            counts = {t.name: select(func.count()).select_from(t).where(t.c.learner == "anon") for t in tables}
            return {name: connection.execute(count).scalar_one() for name, count in counts.items()}

    assert min(rows().values()) > 0
    store.join("anon", ada)
    assert set(rows().values()) == {0}


def test_work_of_another_account_never_joins(store: Store, ada: Account) -> None:
    bob = store.create_account("bob", PASSWORD, learner="bob")
    submit(store, learner="bob")
    store.join("bob", ada)
    store.join("ada", ada)
    assert len(store.submissions(bob.learner)) == 1


# tokens


def test_a_token_is_known_by_its_secret_until_it_is_revoked(store: Store) -> None:
    made, secret = store.create_token("ada", "laptop")
    found = store.token(secret)
    assert found is not None
    assert (found.id, found.learner, found.name) == (made.id, "ada", "laptop")
    assert store.tokens("ada")[0].last_used_at is not None
    assert store.token(secret + "x") is None
    assert not store.revoke_token("bob", made.id)
    assert store.revoke_token("ada", made.id)
    assert not store.revoke_token("ada", made.id)
    assert store.token(secret) is None
    assert store.tokens("ada") == []


def test_the_secret_is_not_in_the_database(store: Store, tmp_path: Path) -> None:
    _, secret = store.create_token("ada", "laptop")
    store.close()
    assert not any(secret.encode() in path.read_bytes() for path in tmp_path.iterdir())


# allowances


def test_an_allowance_is_used_up_and_comes_back(store: Store) -> None:
    burst, long = Allowance("burst", 2, 10.0), Allowance("long", 3, 100.0)
    assert [store.spend([burst, long], now) for now in (0.0, 4.0, 5.0)] == [None, None, 5.0]
    assert store.spend([burst, long], 10.0) is None
    assert store.spend([burst, long], 11.0) == 89.0
    assert store.spend([Allowance("other", 1, 1.0)], 11.0) is None


def test_a_refund_gives_one_use_back(store: Store) -> None:
    once = Allowance("once", 1, 10.0)
    store.spend([once], 0.0)
    store.refund([once])
    assert store.spend([once], 1.0) is None
    assert store.spend([once], 2.0) == 8.0


def test_allowances_that_are_over_leave_no_rows(store: Store) -> None:
    for number in range(3):
        store.spend([Allowance(f"address {number}", 1, 1.0)], now=float(number * 2))
    with store.read() as connection:
        assert connection.scalar(text("SELECT count(*) FROM allowance")) == 1
