"""Languages, narrow screens, both themes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from web_judge import SOURCE, WebJudge

from browser.browsing import EDITOR, Learner, open_problem, write

pytestmark = pytest.mark.browser
PATHS = ["/", "/problems/double", "/problems/double/submissions", "/problems/double/explanation", "/editor", "/nothing"]
CONTRAST = (Path(__file__).parent / "contrast.js").read_text()


def test_the_switch_changes_everything_but_the_work(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    with page.expect_response(lambda r: r.request.method == "POST"):
        page.keyboard.press("Control+Shift+Enter")
    judge.finish("WA", {"code": "shape", "got": [2], "expected": [3], "of": "result"})
    expect(page.locator("#status")).to_contain_text("Wrong answer in case 2: Large numbers")
    page.locator("#language").click()
    expect(page.locator("#hints")).to_contain_text("与自身相加")
    expect(page.locator("#status")).to_contain_text("第 2 个用例答案错误：很大的数")
    expect(page.locator(".message").first).to_have_text("结果的形状是 [2]，应为 [3]")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    expect(page.locator(EDITOR)).to_contain_text("return x * 2")
    page.locator(EDITOR).click()
    page.keyboard.press("Control+z")
    expect(page.locator(EDITOR)).to_contain_text("...")
    page.goto("/")
    expect(page.get_by_role("heading", name="题目")).to_be_visible()
    page.locator("#language").click()
    expect(page.get_by_role("heading", name="Problems")).to_be_visible()


def test_the_browsers_language_is_taken(new_learner: Callable[..., Learner]) -> None:
    page = open_problem(new_learner(locale="zh-CN").page())
    expect(page.get_by_role("button", name="提交")).to_be_visible()
    expect(page.locator("#status")).to_contain_text("还没有评测")


def test_hints_are_folded(page: Page) -> None:
    expect(page.locator("#statement math").first).to_be_visible()
    page.locator("#tab-hints").click()
    expect(page.get_by_text("Add it to itself.")).to_be_hidden()
    page.get_by_text("Hint 1", exact=True).click()
    expect(page.get_by_text("Add it to itself.")).to_be_visible()


def test_hints_are_opened_one_at_a_time(judge: WebJudge, learner: Learner) -> None:
    statement = judge.config.problems / "double" / "statement.en.md"
    statement.write_text(statement.read_text() + "\n## Hint 2\n\nOr multiply.\n")
    page = open_problem(learner.page())
    page.locator("#tab-hints").click()
    expect(page.locator("#tab-hints .count")).to_have_text("2")
    expect(page.get_by_text("Hint 2")).to_be_hidden()
    page.get_by_text("Hint 1").click()
    expect(page.get_by_text("Hint 2")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Hint 2")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_theme_is_right_from_the_first_paint(new_learner: Callable[..., Learner], theme: str) -> None:
    learner = new_learner(color_scheme="light" if theme == "dark" else "dark")
    page = open_problem(learner.page())
    for _ in range(1 if theme == "light" else 2):
        page.locator("#theme").click()
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    chosen = page.evaluate(ground)
    page.goto("/", wait_until="commit")
    assert page.evaluate("document.documentElement.dataset.theme") == theme
    expect(page.locator("#theme")).to_have_attribute("title", f"Theme: {theme}")
    assert page.evaluate(ground) == chosen


def test_themes_are_switched_without_a_script(judge: WebJudge, new_learner: Callable[..., Learner]) -> None:
    page = new_learner(java_script_enabled=False).page()
    page.goto("/problems/double")
    page.locator("#theme").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    expect(page).to_have_url(f"http://127.0.0.1:{judge.port}/problems/double")
    expect(page.get_by_text("Hint 1")).to_be_visible()


def test_dividers_move_by_keys_and_pointer_and_stay(learner: Learner, page: Page) -> None:
    divider = page.locator("#divide-x")
    width = "document.getElementById('read').getBoundingClientRect().width / innerWidth"
    divider.focus()
    page.keyboard.press("ArrowRight")
    expect(divider).to_have_attribute("aria-valuenow", "44")
    page.keyboard.press("Enter")
    assert page.evaluate(width) == 0
    page.keyboard.press("Enter")
    assert page.evaluate(width) == pytest.approx(0.44, abs=0.01)
    page.keyboard.press("End")
    expect(divider).to_have_attribute("aria-valuenow", "75")
    box = divider.bounding_box()
    assert box
    page.mouse.move(box["x"] + 4, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(640, box["y"] + 100, steps=3)
    page.mouse.up()
    assert page.evaluate(width) == pytest.approx(0.5, abs=0.01)
    page.locator("#divide-y").focus()
    page.keyboard.press("ArrowUp")
    again = open_problem(learner.page())
    assert again.evaluate(width) == pytest.approx(0.5, abs=0.01)
    expect(again.locator("#divide-y")).to_have_attribute("aria-valuenow", "42")


def test_tabs_are_chosen_by_arrow_keys_and_are_in_the_address(page: Page) -> None:
    page.locator("#tab-statement").focus()
    page.keyboard.press("End")
    expect(page.locator("#tab-solution")).to_be_focused()
    expect(page.locator("#solution")).to_be_visible()
    expect(page.locator("#statement")).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#submissions")).to_be_visible()
    page.reload()
    expect(page.locator("#submissions")).to_be_visible()


def test_one_key_goes_from_pane_to_pane(page: Page) -> None:
    page.locator("#tab-statement").focus()
    page.keyboard.press("F6")
    expect(page.locator(EDITOR)).to_be_focused()
    page.keyboard.press("F6")
    expect(page.locator("#result")).to_be_focused()
    page.keyboard.press("Shift+F6")
    expect(page.locator(EDITOR)).to_be_focused()


@pytest.mark.parametrize("size", [(390, 844), (320, 256)])
def test_a_narrow_screen_scrolls_one_way_and_reaches_all(
    new_learner: Callable[..., Learner], size: tuple[int, int]
) -> None:
    page = new_learner(viewport={"width": size[0], "height": size[1]}).page()
    for path in (*PATHS, "/me"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], path
    page.goto("/problems/double")
    for tab in ("read", "code", "result"):
        page.locator(f"#view-{tab}").click()
        expect(page.locator(f"#{tab}")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], tab
        expect(page.locator("#submit")).to_be_visible()
        page.locator("#run-samples").scroll_into_view_if_needed()


def test_a_phone_does_not_zoom_into_the_editor(judge: WebJudge, new_learner: Callable[..., Learner]) -> None:
    page = new_learner(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True).page()
    page.goto("/problems/double")
    page.locator("#view-code").tap()
    assert page.locator(EDITOR).evaluate("(e) => parseFloat(getComputedStyle(e).fontSize)") >= 16
    page.locator("#submit").tap()
    expect(page.locator("#result")).to_be_visible()
    expect(page.locator("#submit[aria-disabled=false]")).to_be_visible()
    judge.finish("AC")
    expect(page.locator("#status")).to_contain_text("Accepted")
    assert page.evaluate("visualViewport.scale") == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_is_readable_in_both_themes(judge: WebJudge, new_learner: Callable[..., Learner], scheme: str) -> None:
    page = open_problem(new_learner(color_scheme=scheme).page())
    for verdict in ("AC", "WA", "TLE", "JE"):
        write(page, SOURCE + verdict)
        with page.expect_response(lambda r: r.request.method == "POST"):
            page.keyboard.press("Control+Shift+Enter")
        judge.finish(verdict)
        expect(page.locator("#status use")).to_have_attribute("href", f"#icon-{verdict}")
        expect(page.locator("#result:not(.old):not(.stale)")).to_be_visible()
        assert page.evaluate(CONTRAST) == []
    for path in PATHS:
        page.goto(path)
        assert page.evaluate(CONTRAST) == [], path


def test_pages_work_by_keyboard(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.getAttribute('href')") == "/problems/double":
            break
    page.keyboard.press("Enter")
    expect(page.locator(EDITOR)).to_be_visible()
