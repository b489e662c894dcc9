"""Accounts in the web app: sign-up and sign-in carry work over, sessions end when they must, limits are told."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from test_quiz import write as write_quiz
from web_judge import BASE, PORT, SOURCE, WebJudge, submit
from werkzeug.test import TestResponse

from judge.store import Role
from web import feed, identity, limits

PASSWORD = "correct horse 42"


@pytest.fixture
def judge(tmp_path: Path) -> WebJudge:
    return WebJudge(tmp_path)


@pytest.fixture
def strict(tmp_path: Path) -> WebJudge:
    return WebJudge(tmp_path, options={"sign_in": "required"})


def csrf(client: FlaskClient) -> dict[str, str]:
    return {"X-CSRFToken": client.get("/api/v1/session").json["csrf"]}


def post(client: FlaskClient, path: str, **form: object) -> TestResponse:
    return client.post(path, data=form, headers=csrf(client))


def sign_up(judge: WebJudge, name: str, client: FlaskClient | None = None) -> FlaskClient:
    client = client or judge.client()
    assert post(client, "/sign-up", name=name, password=PASSWORD).status_code == 303
    return client


def sign_in(judge: WebJudge, name: str, client: FlaskClient | None = None, password: str = PASSWORD) -> FlaskClient:
    client = client or judge.client()
    assert post(client, "/sign-in", name=name, password=password).status_code == 303
    return client


def who(client: FlaskClient) -> str | None:
    account: dict[str, Any] | None = client.get("/api/v1/session").json["account"]
    return account["name"] if account else None


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


# sessions


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


def test_the_cookie_is_secure_over_https(tmp_path: Path) -> None:
    judge = WebJudge(tmp_path, options={"trust_proxy": 1, "hosts": "judge.example.org"})
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "judge.example.org", "X-Forwarded-For": "192.0.2.7"}
    assert "; Secure;" in judge.client().get("/", headers=headers).headers["Set-Cookie"]
    assert "; Secure;" not in judge.client().get("/").headers["Set-Cookie"]


def test_forwarded_headers_are_not_believed_unasked(judge: WebJudge) -> None:
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example"}
    answer = judge.client().get("/", headers=headers)
    assert answer.status_code == 200
    assert "; Secure;" not in answer.headers["Set-Cookie"]


@pytest.mark.parametrize(("host", "status"), [("judge.example.org", 200), ("evil.example", 403)])
def test_only_the_names_that_were_set_are_served(tmp_path: Path, host: str, status: int) -> None:
    judge = WebJudge(tmp_path, options={"host": "0.0.0.0", "hosts": "judge.example.org, other.example:8443"})
    assert judge.client().get("/", headers={"Host": host}).status_code == status


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


def test_a_token_made_without_an_account_is_void_where_one_is_required(strict: WebJudge) -> None:
    _, secret = strict.store.create_token("0" * 16, "old")
    assert submit(strict.client(), {"Authorization": f"Bearer {secret}"}).json["code"] == "sign_in"


# tokens


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


# limits


def test_wrong_passwords_are_limited_and_right_ones_are_not(judge: WebJudge) -> None:
    sign_up(judge, "ada")
    client = judge.client()
    for _ in range(limits.FAILURES_OF_ONE - 1):
        assert post(client, "/sign-in", name="ada", password="wrong one").status_code == 401
    sign_in(judge, "ada")
    assert post(client, "/sign-in", name="Ada", password="wrong one").status_code == 401
    answer = post(client, "/sign-in", name="ada", password=PASSWORD)
    assert answer.status_code == 429
    assert 0 < int(answer.headers["Retry-After"]) <= 600
    assert f"works again in {answer.headers['Retry-After']} s" in answer.text
    assert post(client, "/sign-in", name="bob", password="wrong one").status_code == 401


def test_sign_ups_of_one_address_are_limited(judge: WebJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SIGN_UPS", 1)
    sign_up(judge, "ada")
    assert post(judge.client(), "/sign-up", name="bob", password=PASSWORD).status_code == 429


def test_an_ipv6_network_counts_as_one_address(judge: WebJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SIGN_UPS", 1)

    def status(name: str, address: str) -> int:
        client = judge.client()
        client.environ_base["REMOTE_ADDR"] = address
        return post(client, "/sign-up", name=name, password=PASSWORD).status_code

    assert status("ada", "2001:db8::1") == 303
    assert status("bob", "2001:db8::ffff:2") == 429
    assert status("bob", "2001:db8:0:1::1") == 303
    assert [status(name, f"::ffff:192.0.2.{n}") for n, name in enumerate(("eve", "dan"))] == [303, 303]


def test_new_cookies_buy_no_endless_drafts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "NEW_DRAFTS", 2)
    judge = WebJudge(tmp_path)

    def save(client: FlaskClient, **headers: str) -> TestResponse:
        return client.put("/api/v1/drafts/double", json={"text": "x" + str(headers)}, headers=csrf(client) | headers)

    client = judge.client()
    etag = save(client).headers["ETag"]
    assert save(judge.client()).status_code == 200
    refused = save(judge.client())
    assert (refused.status_code, refused.json["code"]) == (429, "too_many_drafts")
    assert save(client, **{"If-Match": etag}).status_code == 200
    assert save(sign_up(judge, "ada")).status_code == 200


@pytest.mark.parametrize("signed_in", [True, False])
def test_submissions_are_limited_and_the_same_press_is_not(tmp_path: Path, signed_in: bool) -> None:
    judge = WebJudge(tmp_path, options={"submissions_per_minute": 2})
    client = sign_up(judge, "ada") if signed_in else judge.learner()[0]
    token = csrf(client)
    assert [submit(client, token, client_id=key).status_code for key in "ab"] == [201, 201]
    refused = submit(client, token, client_id="c")
    assert (refused.status_code, refused.json["code"]) == (429, "too_many_submissions")
    assert 0 < int(refused.headers["Retry-After"]) <= 60
    assert refused.headers["Retry-After"] in refused.json["detail"]
    assert submit(client, token, client_id="b").status_code == 200
    other, others = judge.learner()
    assert submit(other, others).status_code == 201


def test_new_cookies_buy_no_endless_submissions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ADDRESS_FACTOR", 2)
    judge = WebJudge(tmp_path, options={"submissions_per_minute": 1})
    assert [submit(judge.client(), {}).status_code for _ in range(3)] == [201, 201, 429]


def test_a_full_queue_takes_no_more_and_the_same_press_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "STATE_FRESH_S", 0.0)
    judge = WebJudge(tmp_path, options={"queue_limit": 2})
    client, token = judge.learner()
    assert [submit(client, token, client_id=key).status_code for key in "ab"] == [201, 201]
    refused = submit(client, token, client_id="c")
    assert (refused.status_code, refused.json["code"]) == (503, "queue_full")
    assert int(refused.headers["Retry-After"]) >= 5
    assert submit(client, token, client_id="b").status_code == 200
    claim = judge.store.claim("worker", 60)
    assert claim
    assert submit(client, token, client_id="c").status_code == 201


# the class and the accounts


def test_an_instructor_reads_the_class_and_changes_nothing(judge: WebJudge) -> None:
    ada = sign_up(judge, "ada")
    number = submit(ada, csrf(ada)).json["id"]
    judge.finish("AC")
    teacher = with_role(judge, "grace", "instructor")
    page = teacher.get("/class").text
    assert "ada" in page
    assert "Solved" in page
    account = judge.store.account_named("ada")
    assert account is not None
    assert f"/submissions/{number}" in teacher.get(f"/class/{account.id}").text
    page = teacher.get(f"/submissions/{number}").text
    assert f'<a href="/class/{account.id}" translate="no">ada</a>' in page
    assert "return" in page
    assert "/class/" not in ada.get(f"/submissions/{number}").text
    assert teacher.get(f"/api/v1/submissions/{number}/source").text == SOURCE
    waiting = submit(ada, csrf(ada)).json["id"]
    assert teacher.delete(f"/api/v1/submissions/{waiting}", headers=csrf(teacher)).status_code == 404
    assert teacher.get("/accounts").status_code == 403


def test_the_class_shows_how_far_each_is_in_the_quizzes(judge: WebJudge) -> None:
    write_quiz(judge.config.problems)
    ada = sign_up(judge, "ada")
    for body in ({"question": "pairs", "answer": "4096"}, {"question": "cost", "reveal": True}):
        assert ada.post("/api/v1/quizzes/small/answers", json=body, headers=csrf(ada)).status_code == 200
    teacher = with_role(judge, "grace", "instructor")
    page = teacher.get("/class").text
    assert 'href="/quizzes/small">Small</a>' in page
    assert '<td class="number">1/3<span class="revealed" title="1 with help"' in page


def test_the_class_holds_learners_only(judge: WebJudge) -> None:
    teacher = with_role(judge, "grace", "instructor")
    anonymous, token = judge.learner()
    number = submit(anonymous, token).json["id"]
    colleague = with_role(judge, "alan", "instructor")
    own = submit(colleague, csrf(colleague)).json["id"]
    for other in (number, own):
        assert teacher.get(f"/api/v1/submissions/{other}").status_code == 404
    account = judge.store.account_named("alan")
    assert account is not None
    assert teacher.get(f"/class/{account.id}").status_code == 404


def test_a_token_of_an_instructor_reads_no_class(judge: WebJudge) -> None:
    ada = sign_up(judge, "ada")
    number = submit(ada, csrf(ada)).json["id"]
    teacher = judge.store.create_account("grace", PASSWORD, role="instructor")
    _, secret = judge.store.create_token(teacher.learner, "laptop")
    bearer = {"Authorization": f"Bearer {secret}"}
    assert judge.client().get(f"/api/v1/submissions/{number}", headers=bearer).status_code == 404


def test_numbers_that_no_database_holds_are_not_found(judge: WebJudge) -> None:
    root, huge = with_role(judge, "root", "administrator"), 2**63
    ada = judge.store.create_account("ada", PASSWORD)
    assert root.get(f"/class/{huge}").status_code == 404
    assert root.get(f"/class/{ada.id}?before={huge}").status_code == 200
    assert post(root, f"/accounts/{huge}", role="learner").status_code == 404
    assert post(root, f"/account/tokens/{huge}/revoke").status_code == 404


def test_an_administrator_gives_roles_and_disables(judge: WebJudge) -> None:
    root = with_role(judge, "root", "administrator")
    ada = sign_up(judge, "ada")
    account = judge.store.account_named("ada")
    assert account is not None
    path = f"/accounts/{account.id}"
    assert post(root, path, role="instructor").status_code == 303
    assert ada.get("/class").status_code == 200
    assert post(root, path, disabled="1").status_code == 303
    assert who(ada) is None
    for form in ({"role": "king"}, {"disabled": "perhaps"}):
        assert post(root, path, **form).status_code == 422
    assert post(root, "/accounts/999", role="learner").status_code == 404
    own = judge.store.account_named("root")
    assert own is not None
    assert post(root, f"/accounts/{own.id}", role="learner").status_code == 409


def with_role(judge: WebJudge, name: str, role: Role) -> FlaskClient:
    judge.store.create_account(name, PASSWORD, role=role)
    return sign_in(judge, name)
