"""`judge admin`: the first administrator, roles, forgotten passwords."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from cli_judge import Here, make

from judge import config
from judge.store import Store

PASSWORD = "correct horse 42"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    monkeypatch.setenv("JUDGE_DATA", str(tmp_path / "data"))
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n" * 9))
    return make(tmp_path, monkeypatch, capsys)


@pytest.fixture
def store(here: Here) -> Store:
    return Store.open(config.load().database)


def create(here: Here, name: str, *more: str) -> int:
    return here("admin", "create-user", name, "--password-stdin", *more).code


def test_the_first_administrator_is_made(here: Here, store: Store) -> None:
    said = here("admin", "create-user", "Grace", "--role", "administrator", "--password-stdin")
    assert (said.code, said.out) == (0, "account Grace made: administrator\n")
    account = store.sign_in("grace", PASSWORD)
    assert account is not None
    assert account.role == "administrator"


def test_accounts_are_listed(here: Here) -> None:
    assert create(here, "李雷") == create(here, "ada", "--role", "instructor") == 0
    assert here("admin", "disable", "ada").code == 0
    assert here("admin", "list-users").out == "ada   instructor (disabled)\n李雷  learner\n"
    assert here("admin", "list-users", "--json").json["accounts"][1] == {
        "name": "李雷", "role": "learner", "disabled": False,
    }  # fmt: skip


def test_a_role_is_given(here: Here, store: Store) -> None:
    create(here, "ada")
    assert here("admin", "set-role", "ADA", "--role", "instructor").out == "ada is now instructor\n"
    assert store.accounts()[0].role == "instructor"


def test_a_reset_ends_sessions_and_tokens(here: Here, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    create(here, "ada")
    before = store.accounts()[0]
    _, secret = store.create_token(before.learner, "laptop")
    monkeypatch.setattr("sys.stdin", io.StringIO("another horse\n"))
    assert here("admin", "reset-password", "ada", "--password-stdin").code == 0
    assert store.sign_in("ada", "another horse") is not None
    assert store.sign_in("ada", PASSWORD) is None
    assert store.accounts()[0].epoch > before.epoch
    assert store.token(secret) is None


def test_a_disabled_account_can_be_enabled(here: Here, store: Store) -> None:
    create(here, "ada")
    for action, disabled in (("disable", True), ("enable", False)):
        assert here("admin", action, "ada").code == 0
        assert store.accounts()[0].disabled is disabled


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("create-user",), "NAME is missing"), (("set-role", "root"), "--role is missing"),
        (("create-user", "a b", "--password-stdin"), "no name"), (("create-user", "ROOT"), "already"),
        (("disable", "bob"), "no account bob"), (("disable", "root"), "last administrator"), (("delete", "root"), ""),
    ],
)  # fmt: skip
def test_wrong_usage_is_said(here: Here, arguments: tuple[str, ...], word: str) -> None:
    create(here, "root", "--role", "administrator")
    said = here("admin", *arguments)
    assert said.code == 2
    assert word in said.err


@pytest.mark.parametrize(("password", "word"), [("short", "8 characters"), ("password1", "attacker"), ("", "8")])
def test_weak_passwords_are_refused(here: Here, monkeypatch: pytest.MonkeyPatch, password: str, word: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(password + "\n"))
    said = here("admin", "create-user", "ada", "--password-stdin")
    assert said.code == 2
    assert word in said.err


def test_a_password_typed_twice_must_be_the_same(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter([PASSWORD, PASSWORD + "x", PASSWORD, PASSWORD])
    monkeypatch.setattr("getpass.getpass", lambda prompt: next(typed))
    assert "differ" in here("admin", "create-user", "ada").err
    assert here("admin", "create-user", "ada").code == 0
