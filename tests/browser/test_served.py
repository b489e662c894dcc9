"""`judge serve` as a learner meets it: each problem's reference is accepted, a known mistake gets its sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.browsing import EDITOR, REPORT_BREACHES, free_port
from judge.loader import load_problem, slugs

pytestmark = pytest.mark.browser
BANK = Path(__file__).resolve().parents[2] / "problems"
START_S = 90


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    port = free_port()
    data = tmp_path_factory.mktemp("served")
    environment = os.environ | {
        "JUDGE_DATA": str(data),
        "JUDGE_PROBLEMS": str(BANK),
        "JUDGE_LANG": "en",
        "PYTHONUNBUFFERED": "1",
    }
    command = [sys.executable, "-m", "judge", "serve", "--port", str(port), "--workers", "1"]
    log = data / "log"
    with log.open("w") as file:
        server = subprocess.Popen(command, env=environment, stdout=file, stderr=subprocess.STDOUT)
    expected = f"http://127.0.0.1:{port}"
    try:
        for _ in range(START_S * 10):
            if expected in log.read_text() or server.poll() is not None:
                break
            # nothing to wait for but the line in the log
            subprocess.run(["sleep", "0.1"], check=True)
        assert expected in log.read_text(), log.read_text()
        yield expected
    finally:
        server.terminate()
        server.wait(30)
        print(log.read_text())


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(base_url=address)
    context.add_init_script(REPORT_BREACHES)
    breaches: list[str] = []
    opened = context.new_page()
    opened.on("console", lambda m: breaches.append(m.text) if m.type == "error" else None)
    yield opened
    context.close()
    assert breaches == []


def submit(page: Page, slug: str, source: str) -> None:
    page.goto(f"/problems/{slug}")
    page.locator(EDITOR).click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(source)
    with page.expect_response(lambda r: r.request.method == "POST") as answer:
        page.keyboard.press("Control+Shift+Enter")
    expect(page.locator("#status")).to_contain_text(f"Submission {answer.value.json()['id']}.", timeout=30_000)


@pytest.mark.parametrize("slug", slugs(BANK))
def test_the_reference_is_accepted(page: Page, slug: str) -> None:
    problem = load_problem(BANK, slug)
    submit(page, slug, (problem.folder / "reference.py").read_text())
    expect(page.locator("#status")).to_contain_text(f"Accepted. All {len(problem.cases)} cases passed.")
    page.get_by_role("button", name="Read the explanation").click()
    expect(page.get_by_role("heading", name="Reference solution")).to_be_visible()


@pytest.mark.parametrize("slug", slugs(BANK))
def test_a_known_mistake_gets_its_verdict_and_its_sentence(page: Page, slug: str) -> None:
    """The search for it is bounded in time, so a busy machine may find the second or third one only."""
    problem = load_problem(BANK, slug)
    for mistake in [s for s in problem.submissions if s.expected == ("WA",) and s.sentence.zh][:5]:
        submit(page, slug, mistake.path.read_text())
        expect(page.locator("#status")).to_contain_text("Wrong answer in case")
        expect(page.locator(".mistake-wait")).to_have_count(0, timeout=15_000)
        if page.locator(".mistake").count():
            break
    expect(page.locator(".mistake")).to_have_text(mistake.sentence["en"].replace("`", ""))
    page.locator("#language").click()
    expect(page.locator(".mistake")).to_have_text(mistake.sentence["zh"].replace("`", ""))
