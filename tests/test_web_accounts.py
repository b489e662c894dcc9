"""Accounts in the web app: sign-up and sign-in carry work over and lead nowhere else; what needs an account."""

from __future__ import annotations

import re

import pytest
from web_accounts import PASSWORD, csrf, post, sign_in, sign_up, who
from web_judge import BASE, PORT, WebJudge, submit

# work is carried over


def test_sign_up_takes_the_work_of_the_browser_along(judge: WebJudge) -> None:
    client, token = judge.learner()
    number = submit(client, token).json["id"]
    client.put("/api/v1/drafts/double", json={"text": "typed"}, headers=token)
    assert "submissions (1)" in client.get("/sign-up").text
    sign_up(judge, "ada", client)
    elsewhere = sign_in(judge, "ADA")
    assert elsewhere.get(f"/api/v1/submissions/{number}").status_code == 200
    assert elsewhere.get("/api/v1/drafts/double").json["text"] == "typed"


def test_sign_in_merges_the_work_of_the_browser(judge: WebJudge) -> None:
    ada = sign_up(judge, "ada")
    ada.put("/api/v1/drafts/double", json={"text": "of the account"}, headers=csrf(ada))
    client, token = judge.learner()
    number = submit(client, token).json["id"]
    client.put("/api/v1/drafts/double", json={"text": "of the browser"}, headers=token)
    sign_in(judge, "ada", client)
    assert ada.get(f"/api/v1/submissions/{number}").status_code == 200
    assert client.get("/api/v1/drafts/double").json["text"] == "of the account"
    account = judge.store.account_named("ada")
    assert account is not None
    versions = judge.store.draft_versions(account.learner, "double")
    assert {judge.store.version_text(account.learner, v.id) for v in versions} == {"of the account", "of the browser"}


def test_an_old_copy_of_the_cookie_opens_no_account(judge: WebJudge) -> None:
    client, token = judge.learner()
    number = submit(client, token).json["id"]
    copied = client.get_cookie(f"judge_{PORT}", domain="127.0.0.1")
    assert copied is not None
    sign_up(judge, "ada", client)
    thief = judge.client()
    thief.set_cookie(copied.key, copied.value, domain="127.0.0.1")
    assert thief.get(f"/api/v1/submissions/{number}").status_code == 401
    assert submit(thief, token).json["code"] == "session_ended"


def test_after_sign_out_the_browser_is_somebody_else(judge: WebJudge) -> None:
    client, token = judge.learner()
    number = submit(client, token).json["id"]
    sign_up(judge, "ada", client)
    answer = post(client, "/sign-out")
    assert (answer.status_code, answer.headers["Clear-Site-Data"]) == (303, '"storage"')
    assert who(client) is None
    assert client.get(f"/api/v1/submissions/{number}").status_code == 404


# signing in and up


@pytest.mark.parametrize(
    ("name", "password", "words"),
    [
        ("a", PASSWORD, "2 to 32"), ("<b>bold</b>", PASSWORD, "2 to 32"), ("ada", "short", "8 characters"),
        ("ada", "x1" * 101, "200"), ("ada", "password123", "first that an attacker tries"),
    ],
)  # fmt: skip
def test_a_refused_sign_up_says_why_and_keeps_the_name(judge: WebJudge, name: str, password: str, words: str) -> None:
    answer = post(judge.client(), "/sign-up", name=name, password=password)
    assert answer.status_code == 422
    assert words in answer.text
    assert "<b>bold" not in answer.text
    assert password not in answer.text
    assert judge.store.accounts() == []


def test_a_taken_name_is_refused(judge: WebJudge) -> None:
    sign_up(judge, "ada")
    assert post(judge.client(), "/sign-up", name="Ａda", password=PASSWORD).status_code == 409


def test_a_wrong_name_and_a_wrong_password_are_answered_alike(judge: WebJudge) -> None:
    sign_up(judge, "ada")
    answers = [post(judge.client(), "/sign-in", name=name, password="wrong one 1") for name in ("ada", "bob")]
    assert [answer.status_code for answer in answers] == [401, 401]
    assert len({re.sub('value="[^"]*"|content="[^"]*"', "", answer.text) for answer in answers}) == 1


@pytest.mark.parametrize("target", ["//evil.example/", "https://evil.example/", "/\\evil", "javascript:x()", "", "//["])
def test_sign_in_leads_nowhere_else(judge: WebJudge, target: str) -> None:
    sign_up(judge, "ada")
    answer = post(judge.client(), "/sign-in", name="ada", password=PASSWORD, next=target)
    assert answer.headers["Location"] == "/"
    assert "evil" not in judge.client().get("/sign-in", query_string={"next": target}).text


def test_sign_in_leads_back(judge: WebJudge) -> None:
    sign_up(judge, "ada")
    answer = post(judge.client(), "/sign-in", name="ada", password=PASSWORD, next="/problems/double?lang=zh")
    assert answer.headers["Location"] == "/problems/double?lang=zh"


def test_another_site_cannot_sign_a_browser_in(judge: WebJudge) -> None:
    sign_up(judge, "ada")
    client, token = judge.learner()
    form = {"name": "ada", "password": PASSWORD}
    assert client.post("/sign-in", data=form, headers=token | {"Origin": "https://evil.example"}).status_code == 403
    assert client.post("/sign-in", data=form, headers={"Origin": BASE}).status_code == 403
    assert who(client) is None


def test_the_api_signs_in_beside_the_work(strict: WebJudge) -> None:
    sign_up(strict, "ada")
    client, token = strict.learner()
    assert submit(client, token, client_id="press").json["code"] == "sign_in"
    wrong = client.post("/api/v1/sign-in", json={"name": "ada", "password": "wrong one"}, headers=token)
    assert (wrong.status_code, wrong.json["code"]) == (401, "credentials")
    body = {"name": "ada", "password": PASSWORD}
    assert client.post("/api/v1/sign-in", json=body, headers=token).json["account"]["name"] == "ada"
    assert submit(client, csrf(client), client_id="press").status_code == 201


# where sign-in is required


def test_where_sign_in_is_required_anonymous_may_read_only(strict: WebJudge) -> None:
    client, token = strict.learner()
    for path in ("/", "/problems/double", "/api/v1/problems", "/editor", "/sign-in", "/sign-up"):
        assert client.get(path).status_code == 200, path
    assert submit(client, token).json["code"] == "sign_in"
    assert submit(strict.client(), {}).json["code"] == "sign_in"
    put = client.put("/api/v1/drafts/double", json={"text": "x"}, headers=token)
    assert put.status_code == 401
    assert client.get("/account").headers["Location"] == "/sign-in?next=%2Faccount"
    assert strict.store.queue_state().queued == 0
