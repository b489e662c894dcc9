"""The list and the learning path in a browser: filters live and without script, Back, the lines of a problem."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from web_judge import WebJudge, add_problem

from browser.browsing import Learner
from browser.test_pages import CONTRAST

pytestmark = pytest.mark.browser


@pytest.fixture
def judge(judge: WebJudge) -> WebJudge:
    folder = add_problem(judge.config.problems, "halve")
    text = (folder / "problem.toml").read_text().replace("Double it", "Halve it").replace('"easy"', '"hard"')
    (folder / "problem.toml").write_text('stage = "masks"\nbuilds_on = ["double"]\n' + text)
    return judge


@pytest.fixture
def page(judge: WebJudge, learner: Learner) -> Page:
    page = learner.page()
    page.goto("/")
    return page


def test_filters_work_as_they_are_typed_and_survive_back(page: Page) -> None:
    box = page.get_by_role("searchbox", name="Search")
    box.press_sequentially("halv")
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.get_by_role("status")).to_have_text("1 of 2 problems")
    expect(box).to_be_focused()
    assert page.url.endswith("/?q=halv")
    page.get_by_role("link", name="Halve it").last.click()
    expect(page.locator("#statement")).to_be_visible()
    page.go_back()
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(box).to_have_value("halv")
    page.get_by_role("link", name="Clear the filters").click()
    expect(page.locator("tbody tr")).to_have_count(2)


def test_a_choice_is_a_checkbox_for_the_keyboard(page: Page) -> None:
    page.get_by_role("checkbox", name="Hard").focus()
    page.keyboard.press("Space")
    expect(page.locator("tbody tr")).to_have_count(1)
    assert page.url.endswith("/?difficulty=hard")
    expect(page.locator("[data-live=state-new]")).to_have_text("1")


def test_filters_work_without_script(judge: WebJudge, new_learner: Callable[..., Learner]) -> None:
    page = new_learner(java_script_enabled=False).page()
    page.goto("/")
    page.get_by_role("searchbox").fill("halve")
    page.get_by_role("button", name="Filter").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    assert "q=halve" in page.url


def test_the_path_is_walked_by_keyboard_in_learning_order(page: Page) -> None:
    page.goto("/path")
    page.locator(".card a").first.focus()
    expect(page.locator(".lines path.near")).to_have_count(1)
    assert page.evaluate("document.activeElement.getAttribute('href')") == "/problems/halve"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "/problems/double"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_path_and_list_are_readable_on_a_narrow_screen(
    judge: WebJudge, new_learner: Callable[..., Learner], scheme: str
) -> None:
    page = new_learner(color_scheme=scheme, viewport={"width": 320, "height": 640}).page()
    for path in ("/path", "/?stage=masks&q=it"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
        assert page.evaluate(CONTRAST) == [], path
