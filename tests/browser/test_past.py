"""What was written before: read, compared, put back; and the solution, which opens when solved or given up."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from web_judge import SOURCE, WebJudge

from browser.browsing import Learner, open_problem, saved, submit, text, write

pytestmark = pytest.mark.browser
STARTER = "def double(x):\n    ...\n"


def test_an_earlier_submission_comes_back_as_one_undoable_edit(judge: WebJudge, page: Page) -> None:
    page.locator("#tab-submissions").click()
    write(page, SOURCE)
    submit(page)
    expect(page.locator(".past button").first).to_contain_text("Waiting")
    judge.finish("WA")
    expect(page.locator(".past button").first).to_contain_text("Wrong answer")
    write(page, "def double(x):\n    return x\n")
    page.locator(".past button").first.click()
    expect(page.locator(".diff del")).to_have_text("−     return x * 2")
    expect(page.locator(".diff ins")).to_have_text("+     return x")
    page.get_by_role("button", name="Put back in the editor").click()
    assert text(page) == SOURCE
    expect(page.get_by_text("The same text as in the editor.")).to_be_visible()
    page.locator(".cm-content").click()
    page.keyboard.press("Control+z")
    assert text(page) == "def double(x):\n    return x\n"
    page.get_by_role("button", name="Whole text").click()
    expect(page.locator("#submissions .source li")).to_have_text(["def double(x):", "    return x * 2"])


def test_a_text_that_was_reset_is_still_offered(page: Page) -> None:
    write(page, "precious = 1\n")
    page.locator("#reset").click()
    assert text(page) == STARTER
    saved(page)
    page.reload()
    page.locator("#tab-submissions").click()
    versions = page.locator(".past").last.locator("button")
    expect(versions).to_have_count(2)
    expect(versions.first).to_contain_text("reset")
    versions.nth(1).click()
    expect(page.locator(".diff del")).to_have_text("− precious = 1")
    page.get_by_role("button", name="Put back in the editor").click()
    assert text(page) == "precious = 1\n"


def test_both_texts_of_a_conflict_are_in_the_history(learner: Learner, page: Page) -> None:
    other = open_problem(learner.page())
    write(page, "mine\n")
    saved(page)
    expect(other.locator("#conflict")).to_be_visible(timeout=2000)
    write(other, "theirs\n")
    other.get_by_role("button", name="Keep mine").click()
    saved(other)
    other.locator("#tab-submissions").click()
    found = other.locator(".past button")
    expect(found).to_have_count(2)
    for row, said in ((0, "theirs"), (1, "mine")):
        found.nth(row).click()
        other.get_by_role("button", name="Whole text").click()
        expect(other.locator("#submissions .source li").first).to_have_text(said)
        other.get_by_role("button", name="Back to the list").click()


def test_a_second_tab_follows_live(judge: WebJudge, learner: Learner, page: Page) -> None:
    other = open_problem(learner.page())
    other.locator("#tab-submissions").click()
    write(page, SOURCE)
    submit(page)
    judge.finish("AC")
    expect(other.locator("#status")).to_contain_text("Accepted")
    expect(other.locator(".past button").first).to_contain_text("Accepted")


def test_the_version_that_was_judged_is_one_press_away(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    submit(page)
    judge.finish("WA")
    expect(page.locator("#status")).to_contain_text("Wrong answer")
    write(page, "x = 1\n")
    page.get_by_role("button", name="Show that version").click()
    expect(page.get_by_role("heading", name="Submission 1")).to_be_visible()
    expect(page.locator(".diff ins")).to_have_text("+ x = 1")


def test_giving_up_asks_in_its_place_and_then_shows_the_solution(judge: WebJudge, page: Page) -> None:
    page.locator("#tab-solution").click()
    page.get_by_role("button", name="Show the solution").click()
    expect(page.get_by_text("This is recorded")).to_be_visible()
    page.get_by_role("button", name="Not yet").click()
    expect(page.get_by_role("button", name="Show the solution")).to_be_focused()
    page.get_by_role("button", name="Show the solution").click()
    page.get_by_role("button", name="Show it now").click()
    expect(page.locator("#solution")).to_contain_text("Twice is a sum.")
    expect(page.locator("#solution pre.source")).to_contain_text("the secret way")
    page.get_by_role("button", name="Compare with my code").click()
    expect(page.locator("#solution .diff ins")).to_have_text("+     ...")
    page.locator("#language").click()
    expect(page.locator("#tab-solution")).to_have_text("题解")
    expect(page.locator("#solution")).to_contain_text("与我的代码对比")


def test_the_solution_opens_with_acceptance(judge: WebJudge, page: Page) -> None:
    page.locator("#tab-solution").click()
    expect(page.locator("#solution")).to_contain_text("They open once your submission is accepted")
    write(page, SOURCE)
    submit(page)
    judge.finish("AC")
    expect(page.locator("#solution")).to_contain_text("Twice is a sum.")


def test_what_comes_back_is_text_and_nothing_else(judge: WebJudge, page: Page) -> None:
    hostile = "# <img src=x onerror=alert(1)>\x1b[31m\n"
    write(page, hostile)
    submit(page)
    judge.finish("WA")
    page.locator("#tab-submissions").click()
    page.locator(".past button").first.click()
    page.get_by_role("button", name="Whole text").click()
    expect(page.locator("#submissions .source")).to_contain_text("<img src=x onerror=alert(1)>")
    assert page.locator("#submissions img").count() == 0
