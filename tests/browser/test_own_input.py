"""Run this input: one press from a picture, kept on this device, changed in a form, refused in words."""

from __future__ import annotations

import pytest
import torch
from playwright.sync_api import Page, expect
from web_judge import SOURCE, WebJudge

from browser.browsing import write
from judge.compare import Comparison
from judge.grading.comparisons import picture
from judge.model import OWN_INPUT, CaseResult, Report

pytestmark = pytest.mark.browser


def answered(judge: WebJudge, verdict: str) -> dict[str, object] | None:
    """Gives the waiting submission a verdict with a picture; the input it came with."""
    claim = judge.claim()
    x = torch.tensor([[1.0, 2.0]])
    seen = picture(Comparison({"x": x}, x if verdict == "WA" else 2 * x, 2 * x, "result"), "double")
    case = CaseResult(OWN_INPUT if claim.input else "test_example_two", True, verdict, tensors=[seen])  # type: ignore[arg-type]
    judge.store.finish(claim, Report("double", verdict, (case,), 1.0, 1, "local", 1, "0" * 64))  # type: ignore[arg-type]
    return claim.input


def press(page: Page, name: str) -> None:
    with page.expect_response(lambda r: r.request.method == "POST" and r.ok):
        page.get_by_role("button", name=name).first.click()


def test_from_a_sample_to_an_input_of_ones_own(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    press(page, "Run samples")
    assert answered(judge, "WA") is None
    press(page, "Run this input")
    tensor = {"dtype": "float32", "shape": [1, 2], "values": [[1, 2]]}
    assert answered(judge, "WA") == {"call": "double", "arguments": {"x": tensor}}
    expect(page.locator("#status")).to_contain_text("Your result differs from the reference's on this input")
    expect(page.locator(".own-list li")).to_have_text(["x [1, 2]RunChange itRemove"])
    page.locator(".own-list").get_by_role("button", name="Change it").click()
    text = page.locator(".own-form textarea")
    expect(text).to_be_focused()
    text.fill("[[1, oops")
    page.locator(".own-form [type=submit]").click()
    expect(page.get_by_role("alert").filter(has_text="x cannot be read")).to_be_visible()
    text.fill("[[1, -inf, nan],\n [True, .5, 2.]]")
    with page.expect_response(lambda r: r.request.method == "POST" and r.ok):
        page.locator(".own-form [type=submit]").click()
    given = answered(judge, "AC")
    assert given is not None
    values = [[1, "-inf", "nan"], [True, 0.5, 2.0]]
    assert given["arguments"] == {"x": {"dtype": "float32", "shape": [2, 3], "values": values}}
    expect(page.locator("#status")).to_contain_text("Your result equals the reference's on this input")
    expect(page.locator(".comparison")).to_contain_text("no element differs")
    page.reload()
    expect(page.locator(".own-list li")).to_have_count(2)
    page.locator(".own-list").get_by_role("button", name="Remove").first.click()
    expect(page.locator(".own-list li")).to_have_count(1)
    page.goto("/")
    expect(page.locator("[data-slug=double]")).to_contain_text("Tried")


def test_sizes_are_changed_in_one_place(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    press(page, "Run samples")
    answered(judge, "WA")
    page.get_by_role("button", name="Change it").click()
    sizes = page.locator(".own-form .sizes")
    sizes.fill("2, 3")
    sizes.press("Tab")
    assert page.locator(".own-form textarea").input_value().startswith("[[1, 2, ")
    sizes.fill("99999, 99999")
    sizes.press("Tab")
    assert page.locator(".own-form textarea").input_value().count(",") == 5


def test_what_the_reference_refuses_is_told(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    press(page, "Run samples")
    answered(judge, "WA")
    press(page, "Run this input")
    judge.store.refuse(judge.claim(), {"code": "input_refused", "error": "<b>sizes differ</b>"})
    expect(page.locator("#status")).to_contain_text("the reference cannot take this input: <b>sizes differ</b>.")
