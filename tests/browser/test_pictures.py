"""Pictures of what is wrong: a table with headers and keys, forms beside colours, one line that tells the values."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from playwright.sync_api import Locator, Page, expect
from torch import Tensor
from web_judge import SOURCE, WebJudge

from browser.browsing import write
from judge.compare import Comparison
from judge.grading.comparisons import picture
from judge.model import CaseResult, Report

pytestmark = pytest.mark.browser
NAN, INF = float("nan"), float("inf")


def shown(judge: WebJudge, page: Page, got: Any, expected: Any, **inputs: Any) -> Locator:
    """The result of a sample that compared the two."""
    write(page, SOURCE)
    with page.expect_response(lambda r: r.request.method == "POST" and r.ok):
        page.keyboard.press("Control+Enter")
    seen = picture(Comparison(inputs, got, expected, "result"))
    case = CaseResult("test_example_two", True, "WA", tensors=[seen], finding={"code": "number", "of": "result"})
    judge.store.finish(judge.claim(), Report("double", "WA", (case,), 1.0, 1, "local", 1, "0" * 64))
    found = page.locator(".pictures")
    expect(found).to_be_visible()
    return found


def leak(size: int = 4) -> tuple[Tensor, Tensor]:
    expected = torch.zeros(1, 1, size, size)
    got = expected.clone()
    got[..., 0, 1], got[..., 1, 3] = 0.25, 0.5
    return got, expected


def test_three_matrices_and_a_sentence(judge: WebJudge, page: Page) -> None:
    found = shown(judge, page, *leak())
    assert found.locator("table caption").all_inner_texts() == ["Yours", "Expected", "Difference"]
    expect(found.locator("figcaption")).to_contain_text("2 of 16 elements wrong, all above the diagonal")
    difference = found.locator("table").nth(2).locator("tbody td")
    expect(difference).to_have_count(16)
    assert difference.all_inner_texts().count("·") == 14
    assert "NaN" not in found.locator(".legend").inner_text()
    expect(found.locator(".value-line")).to_have_text(
        "row 1, column 3 · yours 0.5 · expected 0 · difference +0.5 · tolerance 1e-5"
    )


def test_the_page_reads_as_a_grid(judge: WebJudge, page: Page) -> None:
    found = shown(judge, page, *leak())
    grid = page.get_by_role("grid", name="Difference")
    expect(grid.get_by_role("gridcell", name="row 1, column 3 · yours 0.5")).to_have_count(1)
    expect(grid.get_by_role("columnheader")).to_have_count(4)
    cells = found.locator("tbody td")
    assert cells.evaluate_all("(all) => all.every((cell) => cell.ariaLabel && cell.innerText)")
    assert grid.locator("[tabindex='0']").count() == 1


def test_keys_reach_all_cells_and_w_the_worst(judge: WebJudge, page: Page) -> None:
    found = shown(judge, page, *leak())
    line = found.locator(".value-line")
    page.locator("table[role=grid]").nth(2).locator("td[tabindex='0']").focus()
    for key, place in [
        ("Control+Home", "row 0, column 0"),
        ("ArrowRight", "row 0, column 1"),
        ("ArrowDown", "row 1, column 1"),
        ("End", "row 1, column 3"),
        ("PageDown", "row 3, column 3"),
        ("ArrowRight", "row 3, column 3"),
        ("Home", "row 3, column 0"),
        ("w", "row 1, column 3"),
        ("Control+End", "row 3, column 3"),
    ]:
        page.keyboard.press(key)
        expect(line).to_contain_text(place)
        assert page.evaluate("document.activeElement.ariaLabel").startswith(place)
    expect(found.locator("td.selected")).to_have_count(3)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="As text")).to_be_focused()


def test_what_is_no_number_has_a_form_and_a_legend(judge: WebJudge, page: Page) -> None:
    found = shown(judge, page, torch.tensor([[NAN, INF, -INF, 1.0]]), torch.tensor([[0.0, 0.0, 0.0, 1.0]]))
    yours = found.locator("table").first.locator("tbody td")
    assert yours.all_inner_texts() == ["NaN", "∞", "-∞", "1"]
    assert yours.evaluate_all("(all) => all.map((cell) => cell.className.replace(' selected', ''))") == [
        "odd nan",
        "odd infinite",
        "odd infinite",
        "high",
    ]
    expect(found.locator(".legend")).to_contain_text("NaN")
    expect(found.locator("figcaption")).to_contain_text("1 NaN where a number is expected, 2 inf")


def test_a_hidden_key_differs_from_weight_zero(judge: WebJudge, page: Page) -> None:
    """The bank's problem names no axes: True and False are numbers there; a mask needs query and key."""
    found = shown(judge, page, torch.ones(2, 2), torch.zeros(2, 2), mask=torch.tensor([[True, False]]))
    assert found.locator("figure.tensor tbody td").all_inner_texts() == ["1", "0"]
    assert found.locator("table").nth(2).locator("tbody td").first.inner_text() == "0"


def test_colours_are_computed_and_text_has_contrast(judge: WebJudge, page: Page) -> None:
    expected = torch.zeros(1, 21)
    found = shown(judge, page, torch.linspace(-1, 1, 21)[None], expected)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        ratios = (
            found.locator("table")
            .first.locator("tbody td")
            .evaluate_all(
                """(cells) => {
              const part = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
              const read = (text) => {
                const numbers = text.match(/[\\d.]+/g).map(Number);
                return text.startsWith('rgb') ? numbers.map((n) => n / 255) : numbers;
              };
              const light = (text) => read(text).slice(0, 3).map(part).reduce((s, c, i) => s + c * [0.2126, 0.7152, 0.0722][i], 0);
              return cells.map((cell) => {
                const style = getComputedStyle(cell);
                const [a, b] = [light(style.backgroundColor), light(style.color)].sort().reverse();
                return (a + 0.05) / (b + 0.05);
              });
            }"""  # noqa: E501
            )
        )
        assert len(ratios) == 21
        assert min(ratios) >= 4.5, scheme
    ends = found.locator("table").first.locator("tbody td")
    first, last = (ends.nth(n).evaluate("(c) => getComputedStyle(c).backgroundColor") for n in (0, 20))
    assert first != last


def test_as_text_and_as_python(judge: WebJudge, page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    found = shown(judge, page, torch.tensor([[1.0, INF]]), torch.tensor([[1.0, 2.5]]))
    page.get_by_role("button", name="As text").click()
    expect(found.locator(".picture-text")).to_contain_text("Yours\n1  ∞\n\nExpected\n  1  2.5")
    page.get_by_role("button", name="Copy as Python").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    scope: dict[str, Any] = {"torch": torch}
    exec(page.evaluate("navigator.clipboard.readText()"), scope)
    assert torch.equal(scope["yours"], torch.tensor([[1.0, INF]]))
    assert torch.equal(scope["expected"], torch.tensor([[1.0, 2.5]]))


def test_batch_and_head_are_chosen_by_number_inputs(judge: WebJudge, page: Page) -> None:
    expected = torch.zeros(2, 3, 2, 2)
    got = expected.clone()
    got[1, 2, 1, 0], got[0, 0, 0, 1] = 4.0, 2.0
    found = shown(judge, page, got, expected)
    steps = found.locator(".steppers input")
    assert [steps.nth(n).input_value() for n in (0, 1)] == ["1", "2"]
    expect(found.locator(".value-line")).to_contain_text("row 1, column 0 · yours 4")
    steps.nth(0).fill("0")
    steps.nth(1).fill("0")
    expect(found.locator(".value-line")).to_contain_text("row 0, column 1 · yours 2")
    steps.nth(1).fill("7")
    expect(found.locator(".value-line")).to_contain_text("row 0, column 1 · yours 2")


def test_a_large_result_is_blocks_and_the_worst_place(judge: WebJudge, page: Page) -> None:
    expected = torch.zeros(512, 512)
    got = expected.clone()
    got[300, 40] = 1.0
    found = shown(judge, page, got, expected)
    expect(found.locator(".overview table caption")).to_have_text("Share of wrong elements in blocks of 16 × 16")
    expect(found.locator(".comparison > .value-line")).to_contain_text("row 300, column 40 · yours 1")
    for table in found.locator("table").all():
        assert table.locator("tbody td").count() <= 1024


@pytest.mark.parametrize("colours", ["forced", "print"])
def test_without_colours_borders_and_numbers_stay(judge: WebJudge, page: Page, colours: str) -> None:
    found = shown(judge, page, torch.rand(20, 20), torch.zeros(20, 20))
    cell = found.locator("table").first.locator("tbody td").first
    hidden = "(cell) => getComputedStyle(cell.firstChild).fontSize"
    assert cell.evaluate(hidden) == "0px"
    if colours == "forced":
        page.emulate_media(forced_colors="active")
        assert cell.evaluate("(cell) => getComputedStyle(cell).borderTopWidth") == "1px"
    else:
        page.emulate_media(media="print")
        assert cell.evaluate(hidden) != "0px"


def test_hostile_values_are_only_text(judge: WebJudge, page: Page) -> None:
    bad = "<img src=x onerror=alert(1)>"
    write(page, SOURCE)
    with page.expect_response(lambda r: r.request.method == "POST" and r.ok):
        page.keyboard.press("Control+Enter")
    one = picture(Comparison({bad: bad, "y": [bad, {bad: torch.ones(1)}]}, torch.ones(2), torch.zeros(2), bad))
    one["got"]["dtype"] = bad
    one["contrast"]["dtype"] = bad
    case = CaseResult("test_example_two", True, "WA", tensors=[one], finding={"code": "number", "of": bad})
    judge.store.finish(judge.claim(), Report("double", "WA", (case,), 1.0, 1, "local", 1, "0" * 64))
    expect(page.locator(".pictures")).to_contain_text(bad)
    assert page.locator("#result img").count() == 0


def test_a_phone_does_not_scroll_sideways(judge: WebJudge, page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    page.get_by_role("tab", name="Code").click()
    shown(judge, page, torch.rand(30, 30), torch.zeros(30, 30))
    outside = "all.filter((e) => e.getBoundingClientRect().right > 320 && !e.closest('.scroll'))"
    wide = f"(all) => {outside}.map((e) => e.className)"
    assert page.locator("#result *").evaluate_all(wide) == []
