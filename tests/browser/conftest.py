"""A real browser on a real HTTP server. JUDGE_CHROMIUM names the browser (default /usr/bin/chromium); none: skipped.

judge   the app over a bank of one small problem; verdicts are given by hand (`judge.finish`)
page    a page of a fresh learner; its test fails on a script error, a breach of the CSP, or a request elsewhere
open_   opens the problem page and waits for the editor
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from web_judge import WebJudge

from browser.browsing import REPORT_BREACHES, Learner, free_port, open_problem, serving

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
CHROMIUM = Path(os.environ.get("JUDGE_CHROMIUM", "/usr/bin/chromium"))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "browser: drives a real browser")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        assert "CI" not in os.environ, f"no browser at {CHROMIUM}"
        pytest.skip(f"no browser at {CHROMIUM}; JUDGE_CHROMIUM names another")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def judge(tmp_path: Path) -> Iterator[WebJudge]:
    made = WebJudge(tmp_path, port=free_port())
    with serving(made):
        yield made


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
