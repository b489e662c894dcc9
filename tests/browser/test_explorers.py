"""The explorers: by keyboard and pointer, in the address, in both languages, on a narrow screen."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.browsing import Learner
from browser.test_pages import CONTRAST

pytestmark = pytest.mark.browser
PATHS = ["/explore", "/explore/masks?T=6&S=4&view=weights&empty=nan&block=2", "/explore/lookup", "/explore/cost"]


@pytest.fixture
def open_page(learner: Learner) -> Callable[[str], Page]:
    def opened(path: str) -> Page:
        page = learner.page()
        page.goto(path)
        return page

    return opened


def cell(page: Page, q: int, k: int) -> Locator:
    return page.locator(f"td[data-q='{q}'][data-k='{k}']")


def test_a_cell_tells_why_it_is_blocked(open_page: Callable[[str], Page]) -> None:
    page = open_page("/explore/masks?T=4&S=4")
    cell(page, 1, 3).hover()
    expect(page.locator("#value")).to_have_text("query 1, key 3 · blocked: key 3 > query 1 + 0")
    expect(cell(page, 1, 1)).to_have_attribute("aria-label", "query 1, key 1 · visible: key 1 ≤ query 1 + 0")
    expect(page.locator("#caption")).to_have_text("T = 4, S = 4: 10 of 16 pairs visible (63 %).")
    expect(page.get_by_role("grid", name="10 of 16 pairs")).to_be_visible()


def test_the_grid_is_one_tab_stop_with_arrows_inside(open_page: Callable[[str], Page]) -> None:
    page = open_page("/explore/masks?T=9&S=12")
    assert page.locator("td[tabindex='0']").count() == 1
    cell(page, 0, 0).focus()
    for key, place in (
        ("ArrowRight", (0, 1)), ("ArrowDown", (1, 1)), ("End", (1, 11)), ("ArrowRight", (1, 11)), ("Home", (1, 0)),
        ("PageDown", (8, 0)), ("Control+End", (8, 11)), ("ArrowLeft", (8, 10)), ("PageUp", (0, 10)),
        ("Control+Home", (0, 0)),
    ):  # fmt: skip
        page.keyboard.press(key)
        expect(cell(page, *place)).to_be_focused()
    assert page.locator("td[tabindex='0']").count() == 1


def test_cells_are_drawn_and_the_address_keeps_them(open_page: Callable[[str], Page]) -> None:
    page = open_page("/explore/masks?T=3&S=3")
    page.get_by_role("button", name="Draw", exact=True).click()
    cell(page, 0, 2).click()
    expect(cell(page, 0, 2)).to_have_class("seen drawn")
    expect(cell(page, 0, 2)).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    expect(cell(page, 1, 2)).to_have_class("seen drawn")
    page.reload()
    expect(cell(page, 0, 2)).to_have_class("seen drawn")
    expect(page.locator("#caption")).to_contain_text("8 of 9 pairs")
    page.get_by_role("button", name="Clear the drawing").click()
    expect(page.locator("#caption")).to_contain_text("6 of 9 pairs")


def test_back_goes_to_the_mask_before(open_page: Callable[[str], Page]) -> None:
    page = open_page("/explore/masks?T=4&S=4")
    page.locator("#kind").select_option("window")
    page.locator("#w").fill("2")
    expect(page.locator(".formula code")).to_have_text("q − 2 < k ≤ q")
    assert "kind=window&w=2" in page.url
    page.go_back()
    expect(page.locator(".formula code")).to_have_text("k ≤ q + (S − T) = q")
    expect(page.locator("#kind")).to_have_value("causal")


def test_rules_are_joined_and_a_query_without_keys_is_told(open_page: Callable[[str], Page]) -> None:
    page = open_page("/explore/masks?T=4&S=4")
    page.get_by_role("button", name="Add a rule").click()
    expect(page.locator("#kind2")).to_be_focused()
    page.locator("#left2").fill("2")
    expect(page.locator("#caption")).to_contain_text("Queries that see no key: 0, 1.")
    expect(page.get_by_role("gridcell", name="query 0, key 0")).to_have_attribute(
        "aria-label", "query 0, key 0 · visible: key 0 ≤ query 0 + 0 and blocked: key 0 is padding · → blocked"
    )
    page.get_by_label("weights for equal scores").check()
    expect(cell(page, 0, 0)).to_have_text("0")
    page.get_by_label("plain softmax: NaN").check()
    expect(cell(page, 0, 0)).to_have_text("NaN")
    expect(cell(page, 0, 0)).to_have_class("nan")
    page.locator("#op2").select_option("or")
    expect(page.locator("#caption")).not_to_contain_text("no key")


def test_the_language_changes_in_place(open_page: Callable[[str], Page]) -> None:
    page = open_page("/explore/masks?kind=window&w=2&T=3&S=3")
    page.locator("#language").click()
    expect(page.locator("#caption")).to_contain_text("9 对中有 5 对可见")
    expect(page.get_by_role("heading", name="掩码")).to_be_visible()
    assert "kind=window" in page.url


@pytest.mark.parametrize(
    "query", ["T=999&S=-4&block=x&drawn=zz&kind=%3Cb%3E&docs=0", "T=32&S=32&kind=documents&docs=1e9.2"]
)
def test_any_address_shows_a_mask(open_page: Callable[[str], Page], query: str) -> None:
    page = open_page(f"/explore/masks?{query}")
    expect(page.locator("#caption")).to_contain_text("T = 32")


def test_the_query_moves_by_keys_and_by_pointer(open_page: Callable[[str], Page]) -> None:
    page = open_page("/explore/lookup?x=1&y=1")
    handle = page.get_by_role("slider", name="Query.")
    handle.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowUp")
    expect(handle).to_have_attribute("aria-valuetext", "x 1.1, y 1.5")
    expect(handle).to_be_focused()
    expect(page.locator("#y")).to_have_value("1.5")
    assert "x=1.1&y=1.5" in page.url
    box = handle.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] - 200, box["y"] + 100, steps=4)
    page.mouse.up()
    assert float(page.locator("#x").input_value()) < -1


def test_wider_vectors_saturate_without_the_division(open_page: Callable[[str], Page]) -> None:
    page = open_page("/explore/lookup")
    page.locator("#d").select_option("512")
    expect(page.locator(".scaling .value")).to_contain_text("At d = 512 the scores spread by 22.36, near √d = 22.63.")
    expect(page.locator(".scaling tr.chosen")).to_contain_text("0.965")


def test_the_cost_of_a_published_shape(open_page: Callable[[str], Page]) -> None:
    page = open_page("/explore/cost")
    expect(page.locator(".value")).to_contain_text("overtake the projections at 8,192 tokens")
    expect(page.get_by_text("549,755,813,888")).to_be_visible()
    page.locator("#preset").select_option("DeepSeek-V3")
    expect(page.locator("tr.chosen")).to_contain_text("68.63 KiB")
    expect(page.get_by_role("img", name="The lines meet at 14,336 tokens")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_explorers_are_readable_and_scroll_one_way(new_learner: Callable[..., Learner], scheme: str) -> None:
    page = new_learner(color_scheme=scheme, viewport={"width": 320, "height": 640}).page()
    for path in PATHS:
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
        assert page.evaluate(CONTRAST) == [], path
