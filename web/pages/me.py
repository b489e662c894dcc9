"""A learner's own practice: what is solved, on which days, best times, and every submission.

zone       cookie of the reader's time zone, set by script; days are counted in it, without it in UTC
problem, verdict, kind     filters of the submissions, in the address; `before`: those older than a submission
"""

from __future__ import annotations

import re
import time
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any, cast
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from flask import Blueprint, render_template, request

from judge.messages import VERDICT_WORDS
from judge.model import VERDICTS, Verdict
from web import answering, curriculum, identity, language, parts, present

PAGE = 100
WEEKS = 53
ZONE = re.compile(r"[A-Za-z0-9_+-]{1,32}(/[A-Za-z0-9_+-]{1,32}){0,2}")
KINDS = {"samples": True, "whole": False}
blueprint = Blueprint("me", __name__)


@blueprint.get("/me")
def index() -> str:
    learner = identity.learner()
    problems, _ = parts.bank().all()
    progress = parts.store().progress(learner)
    states = {slug: found.state for slug, found in progress.items()}
    zone = reader_zone()
    today = datetime.now(zone).date()
    days = parts.store().activity(learner, zone, since=time.time() - (WEEKS + 1) * 7 * 24 * 3600)
    return render_template(
        "me.html",
        problems=problems,
        progress=progress,
        stages=[
            (stage, sum(states.get(p.slug) == curriculum.SOLVED for p in group), len(group))
            for stage, group in curriculum.by_stage(problems)
        ],
        tried=[
            (problem, progress[problem.slug]) for problem in curriculum.in_order(problems) if problem.slug in progress
        ],
        solved_count=sum(states.get(p.slug) == curriculum.SOLVED for p in problems),
        next=curriculum.next_problem(problems, states),
        quizzes=answering.summaries(language.current()),
        days=days,
        calendar=year(days, today),
        run=longest_run(days),
        zone=str(zone),
        history=_history(learner),
        verdicts=VERDICT_WORDS,
    )


def reader_zone() -> tzinfo:
    """The reader's time zone by its cookie; UTC for none, and for what is no zone."""
    name = request.cookies.get("zone", "")
    try:
        return ZoneInfo(name) if ZONE.fullmatch(name) else UTC
    except (LookupError, ValueError, OSError):  # OSError: a folder of zones, such as "America"
        return UTC


def year(days: dict[date, int], today: date) -> list[list[tuple[date, int] | None]]:
    """Seven rows, Monday first, of WEEKS days each, up to today; a day with its submissions, None after today."""
    first = today - timedelta(days=today.weekday() + 7 * (WEEKS - 1))
    rows: list[list[tuple[date, int] | None]] = []
    for weekday in range(7):
        dates = [first + timedelta(days=weekday + 7 * week) for week in range(WEEKS)]
        rows.append([(day, days.get(day, 0)) if day <= today else None for day in dates])
    return rows


def longest_run(days: dict[date, int]) -> int:
    """The most days in a row with a submission."""
    longest = length = 0
    before: date | None = None
    for day in sorted(days):
        length = length + 1 if before and day - before == timedelta(days=1) else 1
        longest, before = max(longest, length), day
    return longest


def _history(learner: str) -> dict[str, Any]:
    """One page of submissions, and the address of the next."""
    asked = {name: request.args.get(name, "") for name in ("problem", "verdict", "kind")}
    before = request.args.get("before", type=int)
    views = parts.store().submissions(
        learner,
        asked["problem"] or None,
        limit=PAGE + 1,
        before=before if before and 0 < before < 2**63 else None,
        verdict=cast(Verdict, asked["verdict"]) if asked["verdict"] in VERDICTS else None,
        samples_only=KINDS.get(asked["kind"]),
    )
    chosen = {name: value for name, value in asked.items() if value}
    older = urlencode(chosen | {"before": views[PAGE - 1].submission.id}) if len(views) > PAGE else None
    return {
        "rows": [
            present.summary_json(view) | {"title": present.problem_of(view.submission.problem).title}
            for view in views[:PAGE]
        ],
        "chosen": chosen,
        "newest": urlencode(chosen) if before else None,
        "older": older,
        "verdict_choices": VERDICTS,
    }
