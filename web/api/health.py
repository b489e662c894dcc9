"""GET /healthz (the process answers)   /readyz (the database answers)   /metrics (as text, for Prometheus)"""

from __future__ import annotations

from collections import Counter

from flask import Blueprint, Response

from judge.store import StoreError, WorkerState
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
    store = parts.store()
    state, tallies, workers = store.queue_state(), store.tallies(), store.workers()
    by = [(f'problem="{t.problem}",verdict="{t.verdict}"', t) for t in tallies]
    families = [
        ("judge_judgings_total", "counter", "Judgings that are done.", [(by_, t.judgings) for by_, t in by]),
        ("judge_grading_seconds_total", "counter", "Time that submissions used.",
         [(by_, round(t.time_ms / 1000, 6)) for by_, t in by]),
        ("judge_wait_seconds_total", "counter", "From being accepted to a worker's claim.",
         [(by_, round(t.wait_s, 6)) for by_, t in by]),
        ("judge_queue_length", "gauge", "Judgings that wait for a worker.", [("", state.queued)]),
        ("judge_running", "gauge", "Judgings that a worker has claimed.", [("", state.running)]),
        ("judge_queue_oldest_seconds", "gauge", "Age of the oldest waiting judging.", [("", round(state.oldest_s, 3))]),
        ("judge_waiting_requests", "gauge", "Open event streams and long polls.", [("", parts.feed().waiting)]),
        ("judge_workers", "gauge", "Workers seen lately, by sandbox.", _by_sandbox(workers)),
        ("judge_worker_starts_total", "counter", "Workers that became ready, restarts included.",
         [("", store.worker_starts())]),
    ]  # fmt: skip
    lines = []
    for name, kind, text, samples in families:
        lines += [f"# HELP {name} {text}", f"# TYPE {name} {kind}"]
        lines += [f"{name}{{{labels}}} {value}" if labels else f"{name} {value}" for labels, value in samples]
    return Response("\n".join(lines) + "\n", content_type="text/plain; version=0.0.4; charset=utf-8")


def _by_sandbox(workers: list[WorkerState]) -> list[tuple[str, float]]:
    counts = Counter((worker.sandbox, worker.draining) for worker in workers)
    return [(f'sandbox="{s}",draining="{str(d).lower()}"', n) for (s, d), n in sorted(counts.items())]
