"""GET /healthz (the process answers)   /readyz (the database answers)   /metrics (as text, counted by the store)"""

from __future__ import annotations

from flask import Blueprint, Response

from judge.store import StoreError
from web import parts
from web.errors import Refused

blueprint = Blueprint("api_health", __name__)


@blueprint.get("/healthz")
def healthz() -> dict[str, str]:
    return {"status": "ok"}


@blueprint.get("/readyz")
def readyz() -> dict[str, object]:
    try:
        state = parts.store().queue_state()
    except StoreError:
        raise Refused(503, "not_ready") from None
    return {"status": "ok", "queued": state.queued, "running": state.running}


@blueprint.get("/metrics")
def metrics() -> Response:
    state = parts.store().queue_state()
    lines = ["# HELP judge_judgings_total Judgings that are done, by verdict.", "# TYPE judge_judgings_total counter"]
    lines += [f'judge_judgings_total{{verdict="{v}"}} {n}' for v, n in sorted(parts.store().verdicts().items())]
    for name, value, text in (
        ("judge_queue_length", state.queued, "Judgings that wait for a worker."),
        ("judge_running", state.running, "Judgings that a worker has claimed."),
        ("judge_queue_oldest_seconds", f"{state.oldest_s:.3f}", "Age of the oldest waiting judging."),
        ("judge_waiting_requests", parts.feed().waiting, "Open event streams and long polls."),
    ):
        lines += [f"# HELP {name} {text}", f"# TYPE {name} gauge", f"{name} {value}"]
    return Response("\n".join(lines) + "\n", content_type="text/plain; version=0.0.4; charset=utf-8")
