"""Whole ways through the page, as learners go them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from web_judge import SOURCE, WebJudge, cases

from browser.browsing import EDITOR, Learner, free_port, open_problem, saved, serving, text, write
from judge.model import CaseResult, Report

pytestmark = pytest.mark.browser
WRONG = "def double(x):\n    return x ** 2\n"
HOSTILE = "<img src=x onerror=alert(1)></pre><script>alert(1)</script>\x1b[31m\u202e"


def posted(page: Page) -> None:
    expect(page.locator("#submit[aria-disabled=false]")).to_be_visible()


def test_a_first_visit_ends_with_acceptance_and_the_next_step(judge: WebJudge, learner: Learner) -> None:
    page = learner.page()
    page.goto("/")
    page.locator("[data-slug=double] a").first.click()
    write(page, SOURCE)
    with page.expect_response(lambda r: r.request.method == "POST"):
        page.locator("#run-samples").click()
    judge.finish("AC")
    expect(page.locator("#status")).to_contain_text("Samples passed, not yet submitted.")
    with page.expect_response(lambda r: r.request.method == "POST"):
        page.locator("#body").get_by_role("button", name="Submit").click()
    judge.finish("AC")
    expect(page.locator("#status")).to_contain_text("Accepted. All 3 cases passed.")
    page.get_by_role("button", name="Read the explanation").click()
    expect(page.locator("#solution")).to_contain_text("Twice is a sum.")


def test_what_was_wrong_is_mended_with_a_hint_and_the_old_verdict_fades(judge: WebJudge, page: Page) -> None:
    write(page, WRONG)
    page.keyboard.press("Control+Shift+Enter")
    posted(page)
    claim = judge.finish("WA", {"code": "number", "of": "result"}, diagnosing=True)
    judge.store.set_diagnosis(claim, "squares")
    expect(page.locator(".mistake")).to_have_text("Your result is the square of the input.")
    page.locator("#body").get_by_role("button", name="Hints").click()
    page.get_by_text("Hint 1", exact=True).click()
    expect(page.get_by_text("Add it to itself.")).to_be_visible()
    expect(page.locator(".mistake")).to_be_visible()
    write(page, SOURCE)
    expect(page.locator("#older")).to_be_visible()
    page.keyboard.press("Control+Shift+Enter")
    posted(page)
    judge.finish("AC")
    expect(page.locator("#status")).to_contain_text("Accepted")
    expect(page.locator("#older")).to_be_hidden()


def test_a_chinese_learner_with_an_input_method(judge: WebJudge, new_learner: Callable[..., Learner]) -> None:
    page = open_problem(new_learner(locale="zh-CN").page())
    write(page, "def double(x):\n    return x * 2  # ")
    session = page.context.new_cdp_session(page)
    session.send("Input.imeSetComposition", {"text": "fanbei", "selectionStart": 6, "selectionEnd": 6})
    session.send("Input.insertText", {"text": "翻倍"})
    assert text(page).endswith("# 翻倍")
    page.keyboard.press("Control+Shift+Enter")
    expect(page.locator("#submit[aria-disabled=false]")).to_be_visible()
    assert judge.finish("WA").source.decode().endswith("# 翻倍")
    expect(page.locator("#status")).to_contain_text("第 2 个用例答案错误：很大的数")
    expect(page.locator("#saved")).to_contain_text("已保存")


def test_a_phone_goes_all_the_way(judge: WebJudge, new_learner: Callable[..., Learner]) -> None:
    page = new_learner(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True).page()
    page.goto("/problems/double")
    expect(page.locator(EDITOR)).to_be_hidden()
    page.locator("#view-code").tap()
    write(page, WRONG)
    page.locator("#submit").tap()
    posted(page)
    judge.finish("WA")
    expect(page.locator("#status")).to_be_in_viewport()
    page.locator("#view-code").tap()
    assert text(page) == WRONG
    page.locator("#history").tap()
    expect(page.locator(".past button").first).to_contain_text("Wrong answer")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_keyboard_alone_is_enough(judge: WebJudge, page: Page) -> None:
    page.locator("#tab-statement").focus()
    page.keyboard.press("F6")
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(SOURCE)
    page.keyboard.press("Control+m")
    for stop in ("divide-y", "run-samples", "submit"):
        page.keyboard.press("Tab")
        expect(page.locator(f"#{stop}")).to_be_focused()
    page.keyboard.press("Enter")
    posted(page)
    judge.finish("WA")
    expect(page.locator("#status")).to_contain_text("Wrong answer")
    page.keyboard.press("F6")
    expect(page.locator("#read [role=tab][aria-selected=true]")).to_be_focused()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    row = page.locator("#read").get_by_role("button", name="Wrong answer")
    for _ in range(3):
        page.keyboard.press("Tab")
        if row.evaluate("row => row === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Submission 1")).to_be_visible()


def test_a_server_that_is_restarted_in_the_middle_costs_nothing(browser: Browser, tmp_path: Path) -> None:
    port = free_port()
    judge = WebJudge(tmp_path, port=port)
    page = browser.new_page(base_url=f"http://127.0.0.1:{port}")
    with serving(judge):
        open_problem(page)
        write(page, SOURCE)
        saved(page)
        page.keyboard.press("Control+Shift+Enter")
        posted(page)
    expect(page.locator("#status")).to_contain_text("Connection lost. Still being judged")
    write(page, SOURCE + "# more\n")
    expect(page.locator("#saved")).to_have_text("Not saved: offline, kept on this device")
    judge.finish("AC")
    with serving(WebJudge(tmp_path, port=port)):
        expect(page.locator("#status")).to_contain_text("Accepted", timeout=20_000)
        saved(page)
        assert text(page) == SOURCE + "# more\n"
        page.context.close()


def test_a_slow_connection_is_not_taken_for_a_verdict(judge: WebJudge, page: Page) -> None:
    held: list[Route] = []
    page.route("**/api/v1/submissions?*", lambda route: held.append(route))
    write(page, SOURCE)
    page.keyboard.press("Control+Shift+Enter")
    expect(page.locator("#submit[aria-disabled=true]")).to_be_visible()
    page.keyboard.type("# on")
    assert text(page).endswith("# on")
    expect(page.locator("#status")).to_contain_text("Nothing judged yet.")
    held[0].continue_()
    posted(page)
    judge.finish("AC")
    expect(page.locator("#status")).to_contain_text("Accepted")
    expect(page.locator("#older")).to_be_visible()


def test_hostile_output_is_text_wherever_it_is_shown(judge: WebJudge, page: Page) -> None:
    write(page, f"# {HOSTILE}\n")
    page.keyboard.press("Control+Shift+Enter")
    posted(page)
    claim = judge.claim()
    finding = {"code": "raised", "error": HOSTILE, "message": HOSTILE, "line": 1}
    picture = {"of": HOSTILE, "names": [HOSTILE], "inputs": [HOSTILE], "expected": HOSTILE, "got": HOSTILE}
    case = CaseResult(
        "test_example_two", True, "RTE", finding=finding, stdout=HOSTILE, stderr=HOSTILE, traceback=HOSTILE,
        tensors=[picture],
    )  # fmt: skip
    judge.store.finish(claim, Report("double", "RTE", (case, *cases("AC")[1:]), 1.0, 1, "local", 1, "0" * 64))
    expect(page.locator("#status")).to_contain_text("Runtime error in case 1")
    expect(page.locator("#body .output").first).to_contain_text("<img src=x onerror=alert(1)>")
    shown = page.locator("#body").inner_text()
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    page.locator("#history").click()
    page.locator(".past button").first.click()
    expect(page.locator(".diff, #submissions .quiet").first).to_be_visible()
    for label in ("Whole text", "Changes"):
        page.get_by_role("button", name=label).click()
        assert page.locator("main img, main script").count() == 0


def test_on_a_phone_only_a_result_that_came_just_now_is_marked_as_new(
    judge: WebJudge, new_learner: Callable[..., Learner]
) -> None:
    page = open_problem(new_learner(viewport={"width": 390, "height": 844}, has_touch=True).page(), view="code")
    write(page, SOURCE)
    page.locator("#submit").tap()
    posted(page)
    page.locator("#view-read").tap()
    judge.finish("WA")
    expect(page.locator("#view-result .dot")).to_be_visible()
    page.reload()
    expect(page.locator("#status")).to_contain_text("Wrong answer")
    expect(page.locator("#view-result .dot")).to_be_hidden()
