"""What each page weighs and how soon it can be used, in a real browser that has nothing cached.

    requests       all of one visit
    sent           bytes of all answers as they came
    compressed     the same with gzip: what a proxy that compresses would send
    ready          milliseconds from the start of the visit until scripts have run and the page answers (median)

A problem page has a budget: over it, the exit code is 1. Usage: python benchmarks/pages.py [--runs N] [--markdown]
JUDGE_CHROMIUM names the browser.
"""

from __future__ import annotations

import argparse
import gzip
import os
import socket
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from playwright.sync_api import Browser, Response, sync_playwright

from benchmarks.measuring import ROOT
from benchmarks.serving import wait_until_ready

CHROMIUM = os.environ.get("JUDGE_CHROMIUM", "/usr/bin/chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
PROBLEM = "/problems/causal-mha"
QUIZ = "/quizzes/quiz-masks"
PATHS = (
    "/",
    "/path",
    PROBLEM,
    "/me",
    "/explore",
    "/explore/masks",
    "/explore/lookup",
    "/explore/cost",
    "/editor",
    QUIZ,
)
BUDGET_KB = {PROBLEM: 350}
START_S = 20.0
READY = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"


@dataclass(frozen=True)
class Visit:
    requests: int
    sent: int
    compressed: int
    ready_ms: float


@contextmanager
def served() -> Iterator[str]:
    """The address of a web server over the bank, with a fresh database and no workers."""
    with socket.socket() as probe, tempfile.TemporaryDirectory() as data:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        settings = {"JUDGE_PORT": str(port), "JUDGE_DATA": data, "JUDGE_PROBLEMS": str(ROOT / "problems")}
        server = subprocess.Popen([sys.executable, "-m", "web"], cwd=ROOT, env=os.environ | settings)
        try:
            wait_until_ready(port, START_S)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait()


def visit(browser: Browser, address: str) -> Visit:
    """One page in a new browser context: no cache, no cookies."""
    context = browser.new_context()
    page = context.new_page()
    bodies: list[bytes] = []
    sent = 0
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(address, wait_until="networkidle")
    ready: float = page.evaluate(READY)
    for answer in answers:
        sizes = answer.request.sizes()
        sent += sizes["responseBodySize"]
        bodies.append(answer.body())
    context.close()
    return Visit(len(answers), sent, sum(len(gzip.compress(body, 6, mtime=0)) for body in bodies), ready)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    over = False
    cells = [("page", "requests", "sent", "compressed", "ready")]
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        visit(browser, address)  # the server's caches are warm from here on
        for path in PATHS:
            visits = [visit(browser, address + path) for _ in range(options.runs)]
            one = visits[0]
            ready = statistics.median(found.ready_ms for found in visits)
            budget = BUDGET_KB.get(path)
            over |= budget is not None and one.compressed > budget * 1000
            limit = f" of {budget}" if budget else ""
            weight = f"{one.compressed / 1000:.0f}{limit} kB"
            cells.append((path, str(one.requests), f"{one.sent / 1000:.0f} kB", weight, f"{ready:.0f} ms"))
        browser.close()
    print(_table(cells, options.markdown))
    return int(over)


def _table(cells: list[tuple[str, ...]], markdown: bool) -> str:
    if markdown:
        rows = ["| " + " | ".join(row) + " |" for row in cells]
        return "\n".join([rows[0], "|---" * len(cells[0]) + "|", *rows[1:]])
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in cells)


if __name__ == "__main__":
    sys.exit(main())
