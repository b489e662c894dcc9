"""Sessions of accounts: they end when they must, everywhere, and what ended neither reads nor writes."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from flask.testing import FlaskClient
from web_accounts import PASSWORD, csrf, post, sign_in, sign_up, who
from web_judge import BASE, WebJudge, submit

from web import identity


def forget_for(judge: WebJudge, client: FlaskClient, days: float) -> None:
    with client.session_transaction(base_url=BASE) as session:
        session["at"] = time.time() - days * identity.DAY_S


ENDS: dict[str, Callable[[WebJudge, FlaskClient, int], object]] = {
    "signed out everywhere": lambda judge, client, number: post(sign_in(judge, "ada"), "/sign-out", everywhere="1"),
    "signed out elsewhere": lambda judge, client, number: post(sign_in(judge, "ada"), "/account/sessions"),
    "new password": lambda judge, client, number: post(
        sign_in(judge, "ada"), "/account/password", current=PASSWORD, password="another horse"
    ),
    "disabled": lambda judge, client, number: judge.store.set_disabled(number, True),
    "too old": lambda judge, client, number: forget_for(judge, client, 31),
}


@pytest.mark.parametrize("end", ENDS)
def test_an_ended_session_reads_and_writes_nothing(judge: WebJudge, end: str) -> None:
    client = sign_up(judge, "ada")
    account = judge.store.account_named("ada")
    assert account is not None
    token = csrf(client)
    number = submit(client, token).json["id"]
    ENDS[end](judge, client, account.id)
    assert client.get(f"/api/v1/submissions/{number}").json["code"] == "session_ended"
    assert submit(client, token).json["code"] == "session_ended"
    put = client.put("/api/v1/drafts/double", json={"text": "x"}, headers=token)
    assert put.json["code"] == "session_ended"
    page = client.get(f"/submissions/{number}")
    assert page.headers["Location"] == f"/sign-in?next=%2Fsubmissions%2F{number}"
    assert "sign-in has ended" in client.get("/problems/double").text


def test_a_session_lasts_with_its_visits(judge: WebJudge) -> None:
    client = sign_up(judge, "ada")
    for _ in range(3):
        forget_for(judge, client, 29)
        assert who(client) == "ada"


def test_what_ends_other_sessions_keeps_this_one(judge: WebJudge) -> None:
    client = sign_up(judge, "ada")
    assert post(client, "/account/sessions").status_code == 303
    assert post(client, "/account/password", current=PASSWORD, password="another horse").status_code == 303
    assert who(client) == "ada"
    sign_in(judge, "ada", password="another horse")


def test_a_new_password_needs_the_old_one(judge: WebJudge) -> None:
    client = sign_up(judge, "ada")
    assert post(client, "/account/password", current="wrong one", password="another horse").status_code == 401
    assert post(client, "/account/password", current=PASSWORD, password="short").status_code == 422
    sign_in(judge, "ada")


def test_a_disabled_account_learns_it_with_its_password_only(judge: WebJudge) -> None:
    sign_up(judge, "ada")
    account = judge.store.account_named("ada")
    assert account is not None
    judge.store.set_disabled(account.id, True)
    assert post(judge.client(), "/sign-in", name="ada", password=PASSWORD).status_code == 403
    assert post(judge.client(), "/sign-in", name="ada", password="wrong one").status_code == 401


def test_a_page_of_one_account_never_saves_into_another(judge: WebJudge) -> None:
    client = sign_up(judge, "ada")
    ada = re.search(r'name="account" content="(\d+)"', client.get("/problems/double").text)
    assert ada is not None
    post(client, "/sign-out")
    for then in ("nobody", "bob"):
        if then == "bob":
            sign_up(judge, "bob", client)
        headers = csrf(client) | {"X-Account": ada[1]}
        answer = client.put("/api/v1/drafts/double", json={"text": "ada's"}, headers=headers)
        assert (answer.status_code, answer.json["code"]) == (401, "session_ended")
    assert client.get("/api/v1/drafts/double").status_code == 404
