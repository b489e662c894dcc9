"""A learner's own practice: progress, days in the reader's zone, all submissions page by page."""

from __future__ import annotations

import re
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from sqlalchemy import update
from web_judge import WebJudge, add_problem, submit

from judge.store.tables import submission
from web.pages import me

DAY_S = 24 * 3600


@pytest.fixture
def judge(tmp_path: Path) -> WebJudge:
    made = WebJudge(tmp_path)
    add_problem(made.config.problems, "other")
    return made


def shown(html: str) -> list[int]:
    return [int(number) for number in re.findall(r'href="/submissions/(\d+)"', html)]


def at(judge: WebJudge, number: int, seconds: float) -> None:
    with judge.store.write() as connection:
        connection.execute(update(submission).where(submission.c.id == number).values(created_at=seconds))


def ask(client: FlaskClient, query: str = "") -> str:
    return client.get(f"/me?{query}").text


def test_progress_and_best_times_are_the_learners_own(judge: WebJudge) -> None:
    client, headers = judge.learner()
    submit(client, headers)
    judge.finish("AC")
    submit(client, headers, problem="other")
    judge.finish("WA")
    html = ask(client)
    assert "1 of 2 solved" in html
    assert "12.5 ms" in html
    assert 'value="1" max="2"' in html
    assert shown(html) == [2, 1]
    assert shown(ask(judge.client())) == []


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("problem=other", [3]),
        ("verdict=AC", [1]),
        ("kind=samples", [2]),
        ("kind=whole", [3, 1]),
        ("problem=double&kind=whole&verdict=AC", [1]),
        ("verdict=XX&kind=odd&before=x", [3, 2, 1]),
        ("before=3", [2, 1]),
        ("before=99999999999999999999", [3, 2, 1]),
        ("problem=%27%20OR%201", []),
    ],
)
def test_submissions_are_filtered_by_the_address(judge: WebJudge, query: str, numbers: list[int]) -> None:
    client, headers = judge.learner()
    for verdict, fields in (("AC", {}), ("WA", {"samples_only": True}), ("WA", {"problem": "other"})):
        submit(client, headers, **fields)
        judge.finish(verdict)  # type: ignore[arg-type]
    assert shown(ask(client, query)) == numbers


def test_pages_follow_each_other_without_gap(judge: WebJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(me, "PAGE", 2)
    client, headers = judge.learner()
    for number in range(5):
        submit(client, headers, problem="other" if number == 2 else "double")
    pages, query = [], "problem=double"
    while query:
        html = ask(client, query)
        pages.append(shown(html))
        older = re.search(r'href="/me\?([^"#]*)#history" rel="next"', html)
        query = older[1].replace("&amp;", "&") if older else ""
    assert pages == [[5, 4], [2, 1]]


def test_days_are_counted_where_the_reader_lives(judge: WebJudge) -> None:
    client, headers = judge.learner()
    submit(client, headers)
    day = datetime.now(UTC).date() - timedelta(days=3)
    at(judge, 1, datetime(day.year, day.month, day.day, 23, 30, tzinfo=UTC).timestamp())
    assert f'title="{day}: 1"' in ask(client)
    client.set_cookie("zone", "Asia/Shanghai", domain="127.0.0.1")
    assert f'title="{day + timedelta(days=1)}: 1"' in ask(client)


@pytest.mark.parametrize("zone", ["../../etc/passwd", "America", "Mars/Olympus", "/etc/localtime", "", "<script>"])
def test_a_cookie_that_is_no_zone_means_utc(judge: WebJudge, zone: str) -> None:
    client = judge.client()
    client.set_cookie("zone", zone, domain="127.0.0.1")
    response = client.get("/me")
    assert response.status_code == 200
    assert 'data-zone="UTC"' in response.text


def test_the_calendar_ends_today_and_begins_on_a_monday() -> None:
    today = date(2026, 12, 1)  # a Tuesday
    rows = me.year({today: 4}, today)
    assert rows[1][-1] == (today, 4)
    assert rows[2][-1] is None
    assert rows[0][0] == (date(2025, 12, 1), 0)
    assert all(day is None or day[0].weekday() == weekday for weekday, row in enumerate(rows) for day in row)


def test_the_longest_run_of_days() -> None:
    days = [date(2026, 1, 31), date(2026, 2, 1), date(2026, 2, 2), date(2026, 2, 4)]
    assert me.longest_run(dict.fromkeys(days, 1)) == 3
    assert me.longest_run({}) == 0


def test_old_submissions_stay_in_the_list_but_leave_the_calendar(judge: WebJudge) -> None:
    client, headers = judge.learner()
    submit(client, headers)
    at(judge, 1, time.time() - 500 * DAY_S)
    html = ask(client)
    assert shown(html) == [1]
    assert "days with practice: 0" in html
