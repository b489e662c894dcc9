"""A quiz in a browser: answers in place, by keyboard, without script, in both languages."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from test_quiz import write
from web_judge import WebJudge

from browser.browsing import Learner
from browser.test_pages import CONTRAST
from judge.quiz import load_quiz, quiz_slugs

BANK = Path(__file__).resolve().parents[2] / "problems"
pytestmark = pytest.mark.browser


@pytest.fixture
def judge(judge: WebJudge) -> WebJudge:
    write(judge.config.problems)
    return judge


@pytest.fixture
def page(judge: WebJudge, learner: Learner) -> Page:
    page = learner.page()
    page.goto("/quizzes/small")
    return page


def part(page: Page, question: str, name: str) -> Locator:
    return page.locator(f"#q-{question} [data-part={name}]")


def check(page: Page, question: str) -> None:
    page.locator(f"#q-{question}").get_by_role("button", name="Check").click()


def test_an_answer_is_checked_in_place_and_explained_when_right(page: Page) -> None:
    box = page.locator("#q-pairs").get_by_role("textbox", name="Number")
    box.fill("128")
    box.press("Enter")
    told = page.locator("#q-pairs").get_by_role("status")
    expect(told).to_have_text("A product, not a sum.")
    expect(box).to_be_focused()
    expect(part(page, "pairs", "explanation")).to_be_empty()
    box.fill("2^12")
    box.press("Enter")
    expect(told).to_have_text("Right.")
    expect(part(page, "pairs", "explanation")).to_contain_text("A square.")
    expect(part(page, "pairs", "explanation")).to_be_focused()
    expect(part(page, "pairs", "title")).to_contain_text("Right")
    expect(page.locator("#q-pairs").get_by_role("button")).to_have_count(0)
    expect(part(page, "pairs", "answer").get_by_role("textbox")).not_to_be_editable()
    expect(page.get_by_text("1 of 3 right")).to_be_visible()
    page.reload()
    expect(part(page, "pairs", "explanation")).to_contain_text("A square.")


def test_answering_one_question_leaves_the_others_alone(page: Page) -> None:
    formula = page.get_by_role("textbox", name="Formula")
    formula.fill("8 T")
    page.get_by_role("checkbox", name="A", exact=True).check()
    page.locator("#q-pairs").get_by_role("textbox").fill("4096")
    check(page, "pairs")
    expect(part(page, "pairs", "explanation")).to_contain_text("A square.")
    expect(formula).to_have_value("8 T")
    expect(page.get_by_role("checkbox", name="A", exact=True)).to_be_checked()
    page.locator("#language").click()
    expect(page.get_by_role("heading", name="小测")).to_be_visible()
    expect(part(page, "pairs", "explanation")).to_contain_text("平方。")
    expect(page.get_by_role("textbox", name="式子")).to_have_value("8 T")
    expect(page.get_by_role("checkbox", name="甲")).to_be_checked()


def test_a_choice_is_made_by_keyboard(page: Page) -> None:
    for name in ("A", "B", "C"):
        page.get_by_role("checkbox", name=name, exact=True).focus()
        page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(part(page, "why", "told")).to_have_text("C is late.")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(part(page, "why", "explanation")).to_have_text("So.")
    expect(page.locator("#q-why .is-right")).to_have_count(2)
    expect(page.get_by_role("checkbox", name="C", exact=True)).to_be_disabled()


def test_the_answer_is_shown_when_it_is_asked_for(page: Page) -> None:
    page.locator("#q-cost").get_by_role("button", name="Show the answer").click()
    expect(part(page, "cost", "explanation")).to_contain_text("8 T d^2")
    expect(part(page, "cost", "title")).to_contain_text("Done with help")
    expect(page.get_by_text("0 of 3 right, 1 with help")).to_be_visible()


def test_what_is_refused_is_told_and_the_answer_stays(page: Page, learner: Learner) -> None:
    box = page.get_by_role("textbox", name="Formula")
    box.fill("8 T d^2")
    learner.context.set_offline(True)
    check(page, "cost")
    expect(part(page, "cost", "told")).to_have_text("The judge cannot be reached.")
    expect(box).to_have_value("8 T d^2")
    learner.context.set_offline(False)
    check(page, "cost")
    expect(part(page, "cost", "explanation")).to_contain_text("Four.")


def test_hostile_text_stays_text(page: Page) -> None:
    page.get_by_role("textbox", name="Formula").fill("<img src=x onerror=alert(1)>")
    check(page, "cost")
    expect(part(page, "cost", "told")).to_have_text("“<” is not understood in this place.")
    page.get_by_role("textbox", name="Formula").fill("$x$`y`")
    check(page, "cost")
    expect(part(page, "cost", "told")).to_contain_text("“$”")
    assert page.locator("#q-cost img").count() == 0


def test_a_quiz_works_without_script(judge: WebJudge, new_learner: Callable[..., Learner]) -> None:
    page = new_learner(java_script_enabled=False).page()
    page.goto("/quizzes/small")
    page.locator("#q-pairs").get_by_role("textbox").fill("4095")
    check(page, "pairs")
    expect(part(page, "pairs", "told")).to_have_text("That is not it.")
    expect(page).to_have_url(f"http://127.0.0.1:{judge.port}/quizzes/small#q-pairs")
    page.locator("#q-pairs").get_by_role("textbox").fill("4096")
    check(page, "pairs")
    expect(part(page, "pairs", "explanation")).to_contain_text("A square.")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_state_is_readable_on_a_narrow_screen(
    judge: WebJudge, new_learner: Callable[..., Learner], scheme: str
) -> None:
    page = new_learner(color_scheme=scheme, viewport={"width": 320, "height": 640}).page()
    page.goto("/quizzes/small")
    page.get_by_role("checkbox", name="C", exact=True).check()
    check(page, "why")
    page.locator("#q-pairs").get_by_role("textbox").fill("4096")
    check(page, "pairs")
    page.locator("#q-cost").get_by_role("button", name="Show the answer").click()
    expect(part(page, "cost", "explanation")).to_contain_text("Four.")
    expect(part(page, "pairs", "explanation")).to_contain_text("A square.")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert page.evaluate(CONTRAST) == []


@pytest.mark.parametrize("slug", quiz_slugs(BANK))
def test_no_question_of_the_bank_is_wider_than_a_narrow_screen(
    judge: WebJudge, new_learner: Callable[..., Learner], slug: str
) -> None:
    shutil.copytree(BANK / slug, judge.config.problems / slug)
    page = new_learner(viewport={"width": 320, "height": 640}).page()
    page.goto(f"/quizzes/{slug}")
    for question in load_quiz(BANK, slug).questions:
        page.locator(f"#q-{question.id}").get_by_role("button", name="Show the answer").click()
        expect(part(page, question.id, "explanation")).not_to_be_empty()
    for lang in ("en", "zh"):
        page.goto(f"/quizzes/{slug}?lang={lang}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
