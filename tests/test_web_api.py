"""The HTTP API's contract: statuses, errors as problem+json, idempotency, long poll, drafts."""

from __future__ import annotations

import json
import threading
import time

import pytest
from records import SMALLEST
from web_judge import SOURCE, WebJudge, add_problem, submit

from judge.loader import load_problem
from judge.messages import report_json
from web.api import submissions as submissions_api


def test_a_submission_is_accepted_once_per_client_id(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    first = submit(client, csrf, client_id="press-1")
    again = submit(client, csrf, client_id="press-1")
    other = submit(client, csrf, client_id="press-2")
    assert (first.status_code, again.status_code, other.status_code) == (201, 200, 201)
    assert first.json["id"] == again.json["id"] != other.json["id"]
    assert first.headers["Location"] == f"/api/v1/submissions/{first.json['id']}"


def test_a_submission_holds_the_fields_of_judge_run(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    number = submit(client, csrf).json["id"]
    judge.finish("WA", {"code": "shape", "got": [2], "expected": [3], "of": "result"})
    body = client.get(f"/api/v1/submissions/{number}").json
    view = judge.store.submission(number)
    assert view is not None
    assert view.report is not None
    expected = report_json(view.report, load_problem(judge.config.problems, "double"))
    assert {key: body[key] for key in expected} == json.loads(json.dumps(expected))
    assert body["message"] == "result has shape [2], expected [3]"
    assert (body["id"], body["status"], body["ahead"], body["eta_s"]) == (number, "done", 0, None)


def test_a_queued_submission_tells_its_place(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    submit(client, csrf)
    second = submit(client, csrf).json
    assert (second["status"], second["ahead"], second["verdict"]) == ("queued", 1, None)


def test_sentences_come_in_the_language_asked_for(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    number = submit(client, csrf).json["id"]
    claim = judge.finish("WA", {"code": "shape", "got": [2], "expected": [3], "of": "result"}, diagnosing=True)
    judge.store.set_diagnosis(claim, "squares")
    path = f"/api/v1/submissions/{number}"
    assert client.get(path + "?lang=zh").json["diagnosis"] == "你把输入平方了。"
    assert client.get(path, headers={"Accept-Language": "zh-CN,en;q=0.5"}).json["cases"][1]["title"] == "很大的数"
    client.set_cookie("lang", "zh", domain="127.0.0.1")
    assert client.get(path).json["message"] == "结果的形状是 [2]，应为 [3]"
    assert client.get(path + "?lang=en").json["diagnosis"] == "Your result is the square of the input."


def test_the_smallest_failing_input_comes_with_words(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    number = submit(client, csrf).json["id"]
    claim = judge.finish("WA", {"code": "number", "of": "result"}, diagnosing=True)
    path = f"/api/v1/submissions/{number}?lang=zh"
    assert client.get(path).json["smallest"] is None
    judge.store.set_diagnosis(claim, None, SMALLEST)
    smallest = client.get(path).json["smallest"]
    assert smallest["got"] == SMALLEST.got
    assert (smallest["message"], smallest["circumstances"]) == ("结果的数值不对", ["输入为 float64"])


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"problem": "double", "source": "x" * (64 * 1024 + 1)}, 413, "65537 bytes; the limit is 65536"),
        ({"problem": "double", "source": "好" * 22000}, 413, "66000 bytes"),
        ({"problem": "double", "source": "a\n\0"}, 422, "NUL character in line 2"),
        ({"problem": "double", "source": "a\n\ud800"}, 422, "line 2 has half a character"),
        ({"problem": "nothing-here", "source": ""}, 404, "no problem “nothing-here”"),
        ({"problem": "../double", "source": ""}, 404, "no problem"),
        ({"problem": "double"}, 422, "“source” is missing"),
        ({"problem": "double", "source": 3}, 422, "must be of type str"),
        ({"problem": "double", "source": "", "samples_only": 1}, 422, "must be of type bool"),
        ({"problem": "double", "source": "", "client_id": ""}, 422, "1 to 64"),
        ({"problem": "double", "source": "", "verdict": "AC"}, 422, "“verdict” is unknown"),
        ([], 422, "JSON object"),
    ],
)
def test_bad_input_is_refused_with_the_reason(judge: WebJudge, body: object, status: int, words: str) -> None:
    client, csrf = judge.learner()
    answer = client.post("/api/v1/submissions", data=json.dumps(body), content_type="application/json", headers=csrf)
    assert answer.status_code == answer.json["status"] == status
    assert words in answer.json["detail"]
    assert answer.content_type == "application/problem+json"
    assert judge.store.queue_state().queued == 0


@pytest.mark.parametrize(
    ("raw", "kind", "status"),
    [
        (b'{"problem": "double", "source": "\xff"}', "application/json", 400),
        (b"{", "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
        (b"problem=double", "application/x-www-form-urlencoded", 415),
        (b"{}", "text/plain", 415),
        (b'"' + b"x" * 600_000 + b'"', "application/json", 413),
    ],
)
def test_a_body_that_cannot_be_read_is_refused(judge: WebJudge, raw: bytes, kind: str, status: int) -> None:
    client, csrf = judge.learner()
    answer = client.post("/api/v1/submissions", data=raw, content_type=kind, headers=csrf)
    assert (answer.status_code, answer.content_type) == (status, "application/problem+json")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/v1/submissions/99", 404),
        ("GET", "/api/v1/submissions/99999999999999999999", 404),
        ("GET", "/api/v1/submissions/99/events", 404),
        ("GET", "/api/v1/submissions/1?wait=soon", 400),
        ("GET", "/api/v1/submissions/1?wait=nan", 400),
        ("GET", "/api/v1/problems/nothing", 404),
        ("GET", "/api/v1/drafts/double", 404),
        ("PUT", "/api/v1/submissions", 405),
        ("GET", "/api/v1/nothing", 404),
    ],
)
def test_errors_are_problem_json(judge: WebJudge, method: str, path: str, status: int) -> None:
    client, csrf = judge.learner()
    answer = client.open(path, method=method, headers=csrf, json={} if method == "PUT" else None)
    assert (answer.status_code, answer.content_type) == (status, "application/problem+json")
    assert set(answer.json) >= {"type", "title", "status", "detail"}


def test_a_fault_of_ours_shows_no_traceback(judge: WebJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    client, _ = judge.learner()
    monkeypatch.setattr(judge.store, "solved", None)
    answer = client.get("/api/v1/problems")
    assert answer.status_code == 500
    assert "Traceback" not in answer.text
    assert "solved" not in answer.text


def test_only_what_has_not_begun_can_be_cancelled(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    first, second = (submit(client, csrf).json["id"] for _ in range(2))
    judge.claim()
    assert client.delete(f"/api/v1/submissions/{first}", headers=csrf).status_code == 409
    cancelled = client.delete(f"/api/v1/submissions/{second}", headers=csrf)
    assert (cancelled.status_code, cancelled.json["status"]) == (200, "cancelled")


def test_long_poll_answers_when_the_verdict_is_there(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    number = submit(client, csrf).json["id"]
    threading.Timer(0.2, judge.finish).start()
    asked = time.monotonic()
    answer = client.get(f"/api/v1/submissions/{number}?wait=20")
    assert answer.json["verdict"] == "AC"
    assert time.monotonic() - asked < 10


def test_a_submission_may_wait_for_its_verdict(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    body = {"problem": "double", "source": SOURCE, "client_id": "once"}
    refused = client.post("/api/v1/submissions?wait=soon", json=body, headers=csrf)
    assert refused.status_code == 400
    early = client.post("/api/v1/submissions?wait=0.1", json=body, headers=csrf)
    assert (early.status_code, early.json["status"]) == (201, "queued")
    threading.Timer(0.2, judge.finish).start()
    again = client.post("/api/v1/submissions?wait=20", json=body, headers=csrf)
    assert (again.status_code, again.json["verdict"]) == (200, "AC")
    assert again.json["id"] == early.json["id"] == 1


def test_long_poll_ends_after_the_time_asked_for(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    number = submit(client, csrf).json["id"]
    assert client.get(f"/api/v1/submissions/{number}?wait=0.1").json["status"] == "queued"


def test_long_poll_is_capped(judge: WebJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submissions_api, "MAX_WAIT_S", 0.1)
    client, csrf = judge.learner()
    number = submit(client, csrf).json["id"]
    asked = time.monotonic()
    assert client.get(f"/api/v1/submissions/{number}?wait=1e9").json["status"] == "queued"
    assert time.monotonic() - asked < 2


def test_the_source_comes_back_as_it_was_sent(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    source = "# 注意力\r\n\tx = '</script>'\n\n"
    number = submit(client, csrf, source=source).json["id"]
    answer = client.get(f"/api/v1/submissions/{number}/source")
    assert answer.data.decode() == source
    assert answer.content_type == "text/plain; charset=utf-8"


def test_problems_tell_no_secrets(judge: WebJudge) -> None:
    client, _ = judge.learner()
    body = client.get("/api/v1/problems/double")
    assert body.json["starter"].startswith("def double")
    assert "secret" not in body.text
    assert "square" not in body.text


def test_a_new_folder_is_served_without_restart(judge: WebJudge) -> None:
    client, _ = judge.learner()
    assert client.get("/api/v1/problems/triple").status_code == 404
    add_problem(judge.config.problems, "triple")
    assert client.get("/api/v1/problems/triple").status_code == 200
    assert [p["slug"] for p in client.get("/api/v1/problems").json["problems"]] == ["double", "triple"]


def test_a_broken_folder_hides_no_other_and_names_its_fault(judge: WebJudge) -> None:
    client, _ = judge.learner()
    broken = add_problem(judge.config.problems, "broken") / "problem.toml"
    broken.write_text("titel = 'x'")
    assert [p["slug"] for p in client.get("/api/v1/problems").json["problems"]] == ["double"]
    assert "broken/problem.toml: key `titel` is unknown" in client.get("/").text
    assert "key `titel` is unknown" in client.get("/api/v1/problems/broken").json["detail"]


def test_a_draft_is_never_overwritten_silently(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    url = "/api/v1/drafts/double"
    first = client.put(url, json={"text": "one"}, headers=csrf)
    assert (first.status_code, first.headers["ETag"]) == (200, f'"{first.json["etag"]}"')
    second = client.put(url, json={"text": "two"}, headers=csrf | {"If-Match": first.headers["ETag"]})
    assert second.status_code == 200
    lost = client.put(url, json={"text": "three"}, headers=csrf | {"If-Match": first.headers["ETag"]})
    assert (lost.status_code, lost.json["current"]["text"]) == (412, "two")
    assert client.put(url, json={"text": "four"}, headers=csrf).status_code == 412
    assert client.get(url).json["text"] == "two"
    assert judge.store.queue_state().queued == 0


def test_cookieless_clients_need_no_csrf_token(judge: WebJudge) -> None:
    answer = submit(judge.client(), {})
    assert answer.status_code == 201


def test_a_bearer_token_stands_for_its_learner(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    page = client.post("/account/tokens", data={"name": "laptop"}, headers=csrf).text
    token = page.split("JUDGE_TOKEN=")[1].split("<")[0]
    bearer = {"Authorization": f"Bearer {token}"}
    number = submit(judge.client(), bearer).json["id"]
    assert client.get(f"/api/v1/submissions/{number}").status_code == 200
    assert client.get(f"/api/v1/submissions/{number}", headers={"Authorization": "Bearer x"}).status_code == 401


def test_health_and_metrics(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    submit(client, csrf)
    submit(client, csrf)
    judge.finish("WA")
    assert client.get("/healthz").json == {"status": "ok"}
    assert client.get("/readyz").json == {"status": "ok", "queued": 1, "running": 0}
    metrics = client.get("/metrics").text.splitlines()
    assert 'judge_judgings_total{problem="double",verdict="WA"} 1' in metrics
    assert 'judge_grading_seconds_total{problem="double",verdict="WA"} 0.0125' in metrics
    assert any(line.startswith('judge_wait_seconds_total{problem="double"') for line in metrics)
    assert "judge_worker_starts_total 0" in metrics
    assert "judge_queue_length 1" in metrics


def test_the_list_knows_what_was_solved(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    submit(client, csrf)
    judge.finish("WA")
    assert client.get("/api/v1/problems").json["problems"][0]["state"] == "tried"
    assert "secret" not in client.get("/problems/double/explanation").text
    submit(client, csrf, source=SOURCE + "#")
    judge.finish("AC")
    assert client.get("/api/v1/problems").json["problems"][0]["state"] == "solved"
    assert "the secret way" in client.get("/problems/double/explanation").text


def test_texts_of_the_editor_are_kept_with_their_reason_and_for_their_owner(judge: WebJudge) -> None:
    client, headers = judge.learner()
    url = "/api/v1/drafts/double"
    first = client.put(url, json={"text": "first\n"}, headers=headers)
    match = headers | {"If-Match": first.headers["ETag"]}
    client.put(url, json={"text": "def double(x):\n    ...\n", "reason": "reset"}, headers=match)
    kept = client.get(f"{url}/versions").json["versions"]
    assert [version["reason"] for version in kept] == ["reset", "typed"]
    assert client.get(f"{url}/versions/{kept[1]['id']}").text == "first\n"
    other, _ = judge.learner()
    assert other.get(f"{url}/versions").json == {"versions": []}
    assert other.get(f"{url}/versions/{kept[1]['id']}").status_code == 404
    assert client.get(f"{url}/versions/{2**70}").status_code == 404
    refused = client.put(url, json={"text": "x", "reason": "merged"}, headers=headers)
    assert refused.json["code"] == "draft_reason"


def test_giving_up_opens_the_solution_and_is_kept(judge: WebJudge) -> None:
    client, headers = judge.learner()
    assert "the secret way" not in client.get("/problems/double/explanation").text
    first = client.post("/api/v1/reveals/double", headers=headers | {"Content-Type": "application/json"})
    again = client.post("/api/v1/reveals/double", headers=headers | {"Content-Type": "application/json"})
    assert first.json == again.json
    assert "the secret way" in client.get("/problems/double/explanation").text
    other, _ = judge.learner()
    assert "the secret way" not in other.get("/problems/double/explanation").text
