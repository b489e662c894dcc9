"""Event streams: a snapshot first, then what changed, then the verdict; without a database connection, and bounded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from web_judge import WebJudge, cases, submit

from web import feed
from web.api import events as events_api


def stream(client: FlaskClient, number: int) -> Iterator[tuple[str, Any]]:
    """(event, data) as they come; a comment is ("", text)."""
    answer = client.get(f"/api/v1/submissions/{number}/events")
    assert answer.status_code == 200
    for chunk in answer.response:
        for block in (chunk.decode() if isinstance(chunk, bytes) else chunk).split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
            if block and not fields:
                yield "", block
            elif block:
                assert fields["id"].isdigit()
                yield fields["event"], json.loads(fields["data"])


def test_the_first_event_is_the_whole_submission(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    number = submit(client, csrf).json["id"]
    kind, body = next(stream(client, number))
    assert kind == "snapshot"
    assert body == client.get(f"/api/v1/submissions/{number}").json


def test_cases_then_the_verdict_then_the_mistake_then_the_end(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    number = submit(client, csrf).json["id"]
    happened = stream(client, number)
    assert next(happened)[0] == "snapshot"
    claim = judge.claim()
    assert next(happened) == ("status", {"id": number, "status": "running", "ahead": 0, "eta_s": None})
    judge.store.record_cases(claim, cases("WA")[:1])
    kind, case = next(happened)
    assert (kind, case["name"], case["verdict"]) == ("case", "test_example_two", "AC")
    judge.finish("WA", claim=claim, diagnosing=True)
    kind, body = next(happened)
    assert (kind, body["verdict"], body["diagnosing"], len(body["cases"])) == ("done", "WA", True, 3)
    judge.store.set_diagnosis(claim, "squares")
    kind, body = next(happened)
    assert (kind, body["diagnosis"], body["diagnosing"]) == (
        "diagnosis",
        "Your result is the square of the input.",
        False,
    )
    assert [kind for kind, _ in happened] == ["end"]


def test_a_search_that_finds_nothing_ends_too(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    number = submit(client, csrf).json["id"]
    claim = judge.finish("WA", diagnosing=True)
    happened = stream(client, number)
    assert next(happened)[1]["diagnosing"] is True
    judge.store.set_diagnosis(claim, None)
    assert [(kind, body.get("diagnosing")) for kind, body in happened] == [("diagnosis", False), ("end", None)]


def test_a_finished_submission_is_told_at_once(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    number = submit(client, csrf).json["id"]
    judge.finish("AC")
    assert [kind for kind, _ in stream(client, number)] == ["snapshot", "end"]


def test_a_place_in_the_queue_moves(judge: WebJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events_api, "QUEUE_S", 0.05)
    client, csrf = judge.learner()
    submit(client, csrf)
    number = submit(client, csrf).json["id"]
    happened = stream(client, number)
    assert next(happened)[1]["ahead"] == 1
    judge.finish("AC")
    assert next(happened)[1]["ahead"] == 0


def test_proxies_are_told_to_pass_it_on(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    number = submit(client, csrf).json["id"]
    headers = client.get(f"/api/v1/submissions/{number}/events").headers
    assert headers["Content-Type"] == "text/event-stream; charset=utf-8"
    assert headers["Cache-Control"] == "no-cache, no-transform"
    assert headers["X-Accel-Buffering"] == "no"


def test_a_silent_stream_says_that_it_lives_and_ends_in_time(judge: WebJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events_api, "COMMENT_S", 0.05)
    monkeypatch.setattr(events_api, "LIFE_S", 0.3)
    client, csrf = judge.learner()
    number = submit(client, csrf).json["id"]
    judge.claim()
    kinds = [kind for kind, _ in stream(client, number)]
    assert kinds[:2] == ["snapshot", ""]
    assert set(kinds[1:]) == {""}


def test_a_stream_holds_no_database_connection(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    number = submit(client, csrf).json["id"]
    streams = [stream(client, number) for _ in range(5)]
    for happened in streams:
        next(happened)
    watcher = 1
    assert judge.store.engine.pool.checkedout() <= watcher  # type: ignore[attr-defined]


def test_too_many_streams_leave_threads_for_others(judge: WebJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "MAX_WAITING", 2)
    client, csrf = judge.learner()
    number = submit(client, csrf).json["id"]
    held = [stream(client, number) for _ in range(2)]
    for happened in held:
        next(happened)
    refused = client.get(f"/api/v1/submissions/{number}/events")
    assert (refused.status_code, refused.content_type) == (503, "application/problem+json")
    assert client.get(f"/api/v1/submissions/{number}?wait=30").json["status"] == "queued"


def test_one_learner_does_not_take_every_place(judge: WebJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "MAX_OF_ONE", 2, raising=False)
    client, csrf = judge.learner()
    numbers = [submit(client, csrf).json["id"] for _ in range(3)]
    held = [stream(client, number) for number in numbers[:2]]
    for happened in held:
        next(happened)
    assert client.get(f"/api/v1/submissions/{numbers[2]}/events").status_code == 503
    other, others = judge.learner()
    next(stream(other, submit(other, others).json["id"]))
    held.pop().close()
    next(stream(client, numbers[2]))


def test_a_stop_ends_all_streams(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    number = submit(client, csrf).json["id"]
    happened = stream(client, number)
    next(happened)
    judge.app.extensions["feed"].close()
    assert list(happened) == []


def test_a_client_that_leaves_gives_its_place_back(judge: WebJudge) -> None:
    client, csrf = judge.learner()
    number = submit(client, csrf).json["id"]
    answer = client.get(f"/api/v1/submissions/{number}/events")
    next(iter(answer.response))
    assert judge.app.extensions["feed"].waiting == 1
    answer.close()
    assert judge.app.extensions["feed"].waiting == 0
