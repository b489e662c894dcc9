"""axe over every page, in both themes and both languages; forced colours, reduced motion, nothing that jumps.

A new page gets a line in `PATHS`, a state of the problem page one in `STATES`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from test_quiz import write as write_quiz
from web_judge import SOURCE, WebJudge

from browser.browsing import EDITOR, Learner, open_problem, submit, write

PASSWORD = "correct horse 42"
pytestmark = pytest.mark.browser
AXE = Path(__file__).resolve().parents[2] / "web/frontend/node_modules/axe-core/axe.min.js"
PATHS = [
    "/",
    "/path",
    "/me",
    "/explore",
    "/explore/masks",
    "/explore/lookup",
    "/explore/cost",
    "/editor",
    "/sign-in",
    "/sign-up",
    "/problems/double/submissions",
    "/quizzes/small",
    "/nothing",
]
STATES: dict[str, Callable[[Page, WebJudge], Any]] = {
    "not judged": lambda page, judge: None,
    "hints": lambda page, judge: page.locator("#tab-hints").click(),
    "solution": lambda page, judge: page.locator("#tab-solution").click(),
    "search": lambda page, judge: (page.locator(EDITOR).click(), page.keyboard.press("Control+f")),
    "keys": lambda page, judge: page.locator("#help").click(),
    "menu": lambda page, judge: page.locator("#more summary").click(),
    "wrong": lambda page, judge: judged(page, judge, "WA"),
    "does not load": lambda page, judge: judged(page, judge, "CE"),
    "accepted": lambda page, judge: judged(page, judge, "AC"),
    "difference": lambda page, judge: difference(page, judge),
}
SHIFTS = """new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shifted = (window.shifted ?? 0) + entry.value;
}).observe({type: 'layout-shift', buffered: true})"""


def judged(page: Page, judge: WebJudge, verdict: str) -> None:
    write(page, SOURCE)
    submit(page)
    finding = {"code": "syntax", "line": 2, "column": 3, "message": "bad", "text": "  x"} if verdict == "CE" else None
    judge.finish(verdict, finding)  # type: ignore[arg-type]
    expect(page.locator("#status use")).to_have_attribute("href", f"#icon-{verdict}")


def difference(page: Page, judge: WebJudge) -> None:
    judged(page, judge, "WA")
    write(page, "x = 1\n")
    page.locator("#tab-submissions").click()
    page.locator(".past button").first.click()
    expect(page.locator(".diff")).to_be_visible()


def faults(page: Page) -> list[str]:
    """What axe finds, as "rule: elements"."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = page.evaluate("(tags) => axe.run({runOnly: tags, resultTypes: ['violations']})", tags)
    return [f"{v['id']}: {[n['target'] for n in v['nodes']][:3]}" for v in found["violations"]]


@pytest.fixture(autouse=True)
def needs_axe() -> None:
    if not AXE.exists():
        pytest.skip("`npm ci` was not run in web/frontend")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("locale", ["en", "zh-CN"])
def test_every_page_is_accessible(
    judge: WebJudge, new_learner: Callable[..., Learner], theme: str, locale: str
) -> None:
    write_quiz(judge.config.problems)
    page = new_learner(color_scheme=theme, locale=locale).page()
    found = {}
    for path in PATHS:
        page.goto(path)
        found[path] = faults(page)
    assert found == {path: [] for path in PATHS}


@pytest.mark.parametrize(("theme", "locale"), [("light", "en"), ("dark", "zh-CN")])
def test_every_page_of_accounts_is_accessible(
    judge: WebJudge, new_learner: Callable[..., Learner], theme: str, locale: str
) -> None:
    write_quiz(judge.config.problems)
    judge.store.create_account("root", PASSWORD, role="administrator")
    ada = judge.store.create_account("ada", PASSWORD)
    judge.store.submit(learner=ada.learner, problem="double", source=SOURCE.encode())
    judge.finish("WA")
    judge.store.keep_answer(ada.learner, "small", "pairs", None, False)
    page = new_learner(color_scheme=theme, locale=locale).page()
    page.goto("/sign-in")
    page.locator("#name").fill("root")
    page.locator("#password").fill("no such password")
    page.locator("main .primary").click()
    found = {"refused": faults(page)}
    page.locator("#name").fill("root")
    page.locator("#password").fill(PASSWORD)
    page.locator("main .primary").click()
    expect(page.locator(".bar .who")).to_have_text("root")
    paths = ["/account", "/accounts", "/class", f"/class/{ada.id}", "/submissions/1", "/quizzes/small"]
    for path in paths:
        page.goto(path)
        found[path] = faults(page)
    assert found == {path: [] for path in ["refused", *paths]}


def test_a_quiz_is_accessible_in_every_state(judge: WebJudge, new_learner: Callable[..., Learner]) -> None:
    write_quiz(judge.config.problems)
    page = new_learner().page()
    page.goto("/quizzes/small")
    for question, text in (("pairs", "4096"), ("cost", "T d")):
        page.locator(f"#q-{question} input[type=text]").fill(text)
        page.locator(f"#q-{question} .primary").click()
        expect(page.locator(f"#q-{question} [data-part=told] .icon")).to_be_visible()
    page.locator("#q-why [name=reveal]").click()
    expect(page.locator("#q-why.shown")).to_be_visible()
    assert faults(page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_state_of_the_problem_page_is_accessible(
    judge: WebJudge, new_learner: Callable[..., Learner], theme: str
) -> None:
    page = new_learner(color_scheme=theme, reduced_motion="reduce").page()
    found = {}
    for state, reach in STATES.items():
        open_problem(page)
        reach(page, judge)
        found[state] = faults(page)
    assert found == {state: [] for state in STATES}


def test_a_phone_is_accessible_in_every_view(judge: WebJudge, new_learner: Callable[..., Learner]) -> None:
    page = new_learner(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True).page()
    open_problem(page, view="code")
    judged(page, judge, "WA")
    found = {}
    for view in ("read", "code", "result"):
        page.locator(f"#view-{view}").tap()
        found[view] = faults(page)
    assert found == {"read": [], "code": [], "result": []}


def test_forced_colours_keep_what_is_chosen_and_where_edges_are(new_learner: Callable[..., Learner]) -> None:
    page = open_problem(new_learner(forced_colors="active").page())
    border = "(e) => getComputedStyle(e).borderBottomColor"
    chosen = page.locator("#tab-statement").evaluate(border)
    assert chosen != page.locator("#tab-hints").evaluate(border)
    page_colour = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert page.locator("#tab-hints").evaluate(border) == page_colour
    assert page.locator("#submit").evaluate("(e) => getComputedStyle(e).borderBottomStyle") == "solid"


def test_nothing_moves_where_motion_is_not_wanted(judge: WebJudge, new_learner: Callable[..., Learner]) -> None:
    page = open_problem(new_learner(reduced_motion="reduce").page())
    judged(page, judge, "AC")
    assert page.evaluate("document.getAnimations().filter((a) => a.playState === 'running').length") == 0
    expect(page.locator(EDITOR)).to_be_focused()


def test_loading_shifts_nothing(learner: Learner) -> None:
    learner.context.add_init_script(SHIFTS)
    page = open_problem(learner.page())
    page.locator("#divide-x").focus()
    page.keyboard.press("End")
    page.evaluate("window.shifted = 0")
    page.reload()
    expect(page.locator(EDITOR)).to_be_visible()
    expect(page.locator("#divide-x")).to_have_attribute("aria-valuenow", "75")
    assert page.evaluate("window.shifted ?? 0") < 0.02
