"""What is limited, for an account, a browser or an address, and that a refusal tells when it works again."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient
from web_accounts import PASSWORD, csrf, post, sign_in, sign_up
from web_judge import WebJudge, submit
from werkzeug.test import TestResponse

from web import feed, limits


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
