"""Other web pages can neither submit nor read; a learner sees only their own work; every answer carries the headers."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest
from web_judge import BASE, PORT, WebJudge, submit

from web.key import load_key


@pytest.mark.parametrize(
    "host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:9", f"127.0.0.1.evil.example:{PORT}"]
)
def test_an_unknown_host_gets_nothing(judge: WebJudge, host: str) -> None:
    client = judge.client()
    for path in ("/", "/problems/double", "/api/v1/problems", "/api/v1/session", "/metrics"):
        answer = client.get(path, headers={"Host": host})
        assert answer.status_code == 403
        assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("host", [f"127.0.0.1:{PORT}", f"localhost:{PORT}", f"LOCALHOST:{PORT}", f"[::1]:{PORT}"])
def test_our_own_names_are_served(judge: WebJudge, host: str) -> None:
    assert judge.client().get("/api/v1/problems", headers={"Host": host}).status_code == 200


def test_forwarded_headers_are_not_believed_unasked(judge: WebJudge) -> None:
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example"}
    answer = judge.client().get("/", headers=headers)
    assert answer.status_code == 200
    assert "; Secure;" not in answer.headers["Set-Cookie"]


@pytest.mark.parametrize(("host", "status"), [("judge.example.org", 200), ("evil.example", 403)])
def test_only_the_names_that_were_set_are_served(tmp_path: Path, host: str, status: int) -> None:
    judge = WebJudge(tmp_path, options={"host": "0.0.0.0", "hosts": "judge.example.org, other.example:8443"})
    assert judge.client().get("/", headers={"Host": host}).status_code == status


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "https://["},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Origin": f"https://127.0.0.1:{PORT}"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_another_site_cannot_submit_even_with_cookie_and_token(judge: WebJudge, headers: dict[str, str]) -> None:
    client, csrf = judge.learner()
    assert submit(client, csrf | headers).json["code"] == "origin"
    assert submit(judge.client(), headers).status_code == 403
    assert judge.store.queue_state().queued == 0


def test_another_site_cannot_hold_our_threads(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    number = submit(client, csrf).json["id"]
    for path in (f"/api/v1/submissions/{number}/events", f"/api/v1/submissions/{number}?wait=30"):
        assert client.get(path, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403


def test_nothing_is_shared_with_other_origins(judge: WebJudge) -> None:
    client = judge.client()
    for method in ("GET", "OPTIONS"):
        answer = client.open("/api/v1/session", method=method, headers={"Origin": BASE})
        assert not [name for name, _ in answer.headers if name.startswith("Access-Control")]


@pytest.mark.parametrize("headers", [{}, {"Origin": BASE}, {"X-CSRFToken": "guess", "Origin": BASE}])
def test_a_cookie_alone_submits_nothing(judge: WebJudge, headers: dict[str, str]) -> None:
    client, _ = judge.learner()
    assert submit(client, headers).json["code"] == "csrf"


def test_a_browser_without_cookie_needs_a_token_too(judge: WebJudge) -> None:
    assert submit(judge.client(), {"Origin": BASE}).json["code"] == "csrf"


def test_a_token_of_another_learner_is_no_token(judge: WebJudge) -> None:
    client, _ = judge.learner()
    _, others = judge.learner()
    assert submit(client, others).json["code"] == "csrf"


def test_a_browser_with_its_token_may_submit(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    assert submit(client, csrf | {"Origin": BASE, "Sec-Fetch-Site": "same-origin"}).status_code == 201


def test_a_learner_sees_only_their_own_submissions(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    number = submit(client, csrf).json["id"]
    other, others = judge.learner()
    path = f"/api/v1/submissions/{number}"
    for suffix in ("", "/source", "/events", "?wait=1"):
        assert other.get(path + suffix).status_code == 404
    assert other.delete(path, headers=others).status_code == 404
    assert other.get(f"/submissions/{number}").status_code == 404
    assert other.get("/api/v1/submissions").json == {"submissions": []}
    assert [row["id"] for row in client.get("/api/v1/submissions").json["submissions"]] == [number]


def test_a_cookie_is_strict_and_hidden_from_scripts(judge: WebJudge) -> None:
    cookie = judge.client().get("/").headers["Set-Cookie"]
    assert cookie.startswith(f"judge_{PORT}=")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Expires=" in cookie


def test_the_cookie_is_secure_over_https(tmp_path: Path) -> None:
    judge = WebJudge(tmp_path, options={"trust_proxy": 1, "hosts": "judge.example.org"})
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "judge.example.org", "X-Forwarded-For": "192.0.2.7"}
    assert "; Secure;" in judge.client().get("/", headers=headers).headers["Set-Cookie"]
    assert "; Secure;" not in judge.client().get("/").headers["Set-Cookie"]


def test_a_forged_cookie_makes_a_new_learner(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    number = submit(client, csrf).json["id"]
    cookie = client.get_cookie(f"judge_{PORT}", domain="127.0.0.1")
    assert cookie is not None
    thief = judge.client()
    thief.set_cookie(cookie.key, cookie.value[:-2] + "xx", domain="127.0.0.1")
    assert thief.get(f"/api/v1/submissions/{number}").status_code == 404


def test_the_key_is_made_once_and_private(tmp_path: Path) -> None:
    key = load_key(tmp_path)
    assert load_key(tmp_path) == key
    assert stat.S_IMODE((tmp_path / "cookie.key").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["cookie.key"]


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/problems/double",
        "/problems/double/submissions",
        "/editor",
        "/nothing",
        "/api/v1/problems",
        "/static/style.css",
        "/healthz",
    ],
)
def test_every_answer_carries_the_headers(judge: WebJudge, path: str) -> None:
    headers = judge.client().get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "base-uri 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_the_nonce_is_new_each_time(judge: WebJudge) -> None:
    policies = {judge.client().get("/problems/double").headers["Content-Security-Policy"] for _ in range(2)}
    assert len(policies) == 2
    assert all("'nonce-" in policy for policy in policies)


def test_what_learners_send_is_escaped(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    number = submit(client, csrf, source="'</script><script>alert(1)</script>' # <b>").json["id"]
    page = client.get(f"/submissions/{number}").text
    assert "<script>alert" not in page
    assert "<b>" not in page
    client.put("/api/v1/drafts/double", json={"text": "</script><script>alert(1)//"}, headers=csrf)
    assert "<script>alert" not in client.get("/problems/double").text


def test_the_switch_sets_the_language_and_leads_nowhere_else(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    for target, place in (
        ("/problems/double", "/problems/double"),
        ("//evil.example/", "/"),
        ("https://evil.example/x", "/x"),
        ("/\\evil", "/"),
        ("//[", "/"),
        ("//e\u2100.example", "/"),
    ):
        form = {"lang": "zh", "next": target, "csrf_token": csrf["X-CSRFToken"]}
        answer = client.post("/language", data=form, headers={"Origin": BASE})
        assert (answer.status_code, answer.headers["Location"]) == (303, place)
    assert "翻倍" in client.get("/").text


def test_the_web_never_loads_torch_or_the_grader(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib, web.__main__; from judge.config import Config; from web import create_app\n"
        f"app = create_app(Config(problems=pathlib.Path({str(tmp_path)!r}), data=pathlib.Path({str(tmp_path)!r})))\n"
        "print([m for m in sys.modules if m.split('.')[0] in ('torch', 'numpy', 'sandbox') or m in "
        "('judge.grading.grader', 'judge.worker', 'judge.remote.proxy', 'judge.checks')])"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"
