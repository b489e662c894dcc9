"""Tokens of the API: shown once, revoked, void where an account is required, and never more than a learner."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from flask.testing import FlaskClient
from web_accounts import PASSWORD, csrf, post, sign_in, sign_up
from web_judge import WebJudge, submit


def test_a_token_is_shown_once_and_can_be_revoked(strict: WebJudge) -> None:
    client = sign_up(strict, "ada")
    page = post(client, "/account/tokens", name="laptop")
    found = re.search(r"JUDGE_TOKEN=(\S+?)<", page.text)
    assert found is not None
    assert page.headers["Cache-Control"] == "no-store"
    assert found[1] not in client.get("/account").text
    bearer = {"Authorization": f"Bearer {found[1]}"}
    assert submit(strict.client(), bearer).status_code == 201
    (token,) = strict.store.tokens(strict.store.accounts()[0].learner)
    assert post(sign_up(strict, "bob"), f"/account/tokens/{token.id}/revoke").status_code == 404
    assert post(client, f"/account/tokens/{token.id}/revoke").status_code == 303
    assert submit(strict.client(), bearer).json["code"] == "token"


def test_a_token_does_only_what_a_learner_does(strict: WebJudge) -> None:
    account = strict.store.create_account("root", PASSWORD, role="administrator")
    _, secret = strict.store.create_token(account.learner, "laptop")
    bearer = {"Authorization": f"Bearer {secret}"}
    client = strict.client()
    for path in ("/account", "/class", "/accounts"):
        assert client.get(path, headers=bearer).status_code == 303, path
    assert client.post("/account/tokens", data={"name": "more"}, headers=bearer).status_code == 303
    assert len(strict.store.tokens(account.learner)) == 1
    strict.store.set_disabled(strict.store.create_account("eve", PASSWORD, role="administrator").id, False)
    strict.store.set_disabled(account.id, True)
    assert submit(client, bearer).json["code"] == "token"


def test_tokens_of_one_learner_are_bounded(judge: WebJudge) -> None:
    client = sign_up(judge, "ada")
    for _ in range(20):
        judge.store.create_token(judge.store.accounts()[0].learner, "x")
    assert post(client, "/account/tokens", name="x").status_code == 409


def test_without_an_account_there_are_tokens_and_the_way_to_one(judge: WebJudge) -> None:
    page = judge.client().get("/account").text
    assert "kept for this browser only" in page
    assert 'href="/sign-up"' in page
    assert 'action="/account/tokens"' in page
    assert 'action="/account/password"' not in page


@pytest.mark.parametrize("enter", [sign_up, sign_in])
def test_a_token_from_before_the_account_opens_no_account(
    judge: WebJudge, enter: Callable[[WebJudge, str, FlaskClient], FlaskClient]
) -> None:
    if enter is sign_in:
        sign_up(judge, "ada")
    client, _ = judge.learner()
    page = post(client, "/account/tokens", name="of who sat here before")
    found = re.search(r"JUDGE_TOKEN=(\S+?)<", page.text)
    assert found is not None
    bearer = {"Authorization": f"Bearer {found[1]}"}
    assert submit(judge.client(), bearer).status_code == 201
    enter(judge, "ada", client)
    number = submit(client, csrf(client)).json["id"]
    answer = judge.client().get(f"/api/v1/submissions/{number}/source", headers=bearer)
    assert (answer.status_code, answer.json["code"]) == (401, "token")


def test_a_token_made_without_an_account_is_void_where_one_is_required(strict: WebJudge) -> None:
    _, secret = strict.store.create_token("0" * 16, "old")
    assert submit(strict.client(), {"Authorization": f"Bearer {secret}"}).json["code"] == "sign_in"


def test_a_token_of_an_instructor_reads_no_class(judge: WebJudge) -> None:
    ada = sign_up(judge, "ada")
    number = submit(ada, csrf(ada)).json["id"]
    teacher = judge.store.create_account("grace", PASSWORD, role="instructor")
    _, secret = judge.store.create_token(teacher.learner, "laptop")
    bearer = {"Authorization": f"Bearer {secret}"}
    assert judge.client().get(f"/api/v1/submissions/{number}", headers=bearer).status_code == 404
