"""A real browser on a real HTTP server. JUDGE_CHROMIUM names the browser (default /usr/bin/chromium); without one: skipped.

    judge   the app over a bank of one small problem; verdicts are given by hand (`judge.finish`)
    page    a page of a fresh learner; its test fails on a script error, a breach of the CSP, or a request elsewhere
    open_   opens the problem page and waits for the editor
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from web_judge import WebJudge
from werkzeug.serving import make_server

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
CHROMIUM = Path(os.environ.get("JUDGE_CHROMIUM", "/usr/bin/chromium"))
EDITOR = ".cm-content"
REPORT_BREACHES = """addEventListener('securitypolicyviolation',
    (e) => console.error('CSP', e.violatedDirective, e.blockedURI, e.sourceFile, e.lineNumber))"""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "browser: drives a real browser")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip(f"no browser at {CHROMIUM}; JUDGE_CHROMIUM names another")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield opened
        opened.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def judge(tmp_path: Path) -> Iterator[WebJudge]:
    made = WebJudge(tmp_path, port=free_port())
    server = make_server("127.0.0.1", made.port, made.app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield made
    made.app.extensions["feed"].close()
    server.shutdown()
    thread.join()


@dataclass
class Learner:
    """A browser context: one learner. `problems` collects what must not happen."""

    context: BrowserContext
    base: str
    problems: list[str] = field(default_factory=list)

    def page(self) -> Page:
        page = self.context.new_page()
        page.set_default_timeout(8000)
        page.on("pageerror", lambda error: self.problems.append(f"script error: {error}"))
        page.on("console", lambda m: self.problems.append(m.text) if m.text.startswith("CSP") else None)
        page.on("request", lambda r: self.problems.append(f"asks {r.url}") if not r.url.startswith((self.base, "data:")) else None)
        return page


@pytest.fixture
def new_learner(browser: Browser, judge: WebJudge) -> Iterator[Callable[..., Learner]]:
    made: list[Learner] = []

    def make(**options: object) -> Learner:
        base = f"http://127.0.0.1:{judge.port}"
        context = browser.new_context(base_url=base, **options)  # type: ignore[arg-type]
        context.add_init_script(REPORT_BREACHES)
        made.append(Learner(context, base))
        return made[-1]

    yield make
    for learner in made:
        learner.context.close()
    assert [problem for learner in made for problem in learner.problems] == []


@pytest.fixture
def learner(new_learner: Callable[..., Learner]) -> Learner:
    return new_learner()


@pytest.fixture
def page(learner: Learner) -> Page:
    return open_problem(learner.page())


def open_problem(page: Page, query: str = "") -> Page:
    page.goto(f"/problems/double{query}")
    expect(page.locator("#editor textarea.plain" if "plain" in query else EDITOR)).to_be_visible()
    return page


def write(page: Page, text: str) -> None:
    """Replaces the editor's text, as a paste does."""
    page.locator(EDITOR).click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


