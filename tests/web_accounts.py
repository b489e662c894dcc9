"""Clients of the web app that sign up and in, and forms that they send."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient
from web_judge import WebJudge
from werkzeug.test import TestResponse

from judge.store import Role

PASSWORD = "correct horse 42"


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


def with_role(judge: WebJudge, name: str, role: Role) -> FlaskClient:
    judge.store.create_account(name, PASSWORD, role=role)
    return sign_in(judge, name)


def who(client: FlaskClient) -> str | None:
    account: dict[str, Any] | None = client.get("/api/v1/session").json["account"]
    return account["name"] if account else None
