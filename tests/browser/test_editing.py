"""The editor: text is never lost, keys do what they say, and input methods are left alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from web_judge import SOURCE, WebJudge

from browser.browsing import EDITOR, Learner, open_problem, saved, text, write

pytestmark = pytest.mark.browser
STARTER = "def double(x):\n    ...\n"


def test_text_survives_closing_the_page(learner: Learner, page: Page) -> None:
    write(page, SOURCE)
    saved(page)
    page.close()
    assert text(open_problem(learner.page())) == SOURCE


def test_text_survives_leaving_at_once(page: Page) -> None:
    write(page, SOURCE)
    page.goto("/")
    page.go_back()
    expect(page.locator(EDITOR)).to_contain_text("return x * 2")
    assert text(page) == SOURCE
    expect(page.locator("#conflict")).to_be_hidden()
    saved(page)


def test_text_reaches_another_browser_of_the_learner(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    saved(page)
    page.evaluate("localStorage.clear()")
    page.reload()
    expect(page.locator(EDITOR)).to_contain_text("return x * 2")
    assert judge.store.queue_state().queued == 0


def test_undo_after_loading_empties_nothing(page: Page) -> None:
    page.locator(EDITOR).click()
    for _ in range(10):
        page.keyboard.press("Control+z")
    assert text(page) == STARTER


def test_reset_is_one_undoable_edit_and_works_again(page: Page) -> None:
    for _ in range(2):
        write(page, SOURCE)
        page.locator("#reset").click()
        assert text(page) == STARTER
    page.locator(EDITOR).click()
    page.keyboard.press("Control+z")
    assert text(page) == SOURCE


def test_two_tabs_never_overwrite_each_other_silently(judge: WebJudge, learner: Learner, page: Page) -> None:
    other = open_problem(learner.page())
    write(page, "mine\n")
    saved(page)
    expect(other.locator("#conflict")).to_be_visible()
    write(other, "theirs\n")
    other.get_by_role("button", name="Keep mine").click()
    saved(other)
    expect(other.locator("#conflict")).to_be_hidden()
    expect(page.locator("#conflict")).to_be_visible()
    page.get_by_role("button", name="Use the other text").click()
    assert text(page) == "theirs\n"
    page.locator(EDITOR).click()
    page.keyboard.press("Control+z")
    assert text(page) == "mine\n"


def test_a_draft_changed_elsewhere_asks(judge: WebJudge, page: Page) -> None:
    write(page, "one\n")
    saved(page)
    number = judge.store.engine.connect()
    learner = number.exec_driver_sql("select learner from draft").scalar_one()
    number.close()
    judge.store.save_draft(learner, "double", "from another browser\n", "*")
    write(page, "two\n")
    expect(page.locator("#conflict")).to_be_visible()
    assert text(page) == "two\n"
    page.get_by_role("button", name="Keep mine").click()
    saved(page)
    draft = judge.store.draft(learner, "double")
    assert draft is not None
    assert draft.text == "two\n"


def test_saving_is_only_said_when_the_server_has_it(learner: Learner, page: Page) -> None:
    learner.context.set_offline(True)
    write(page, SOURCE)
    expect(page.locator("#saved")).to_have_text("Not saved: offline, kept on this device")
    learner.context.set_offline(False)
    saved(page)


def test_ctrl_s_saves_and_never_judges(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    with page.expect_response(lambda r: r.request.method == "PUT" and "/drafts/" in r.url):
        page.keyboard.press("Control+s")
    assert judge.store.queue_state().queued == 0


def test_what_is_sent_is_what_is_seen(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    page.locator("#reset").click()
    with page.expect_request(lambda r: r.method == "POST") as sent:
        page.locator("#submit").click()
    assert sent.value.post_data_json["source"] == STARTER == text(page)


def test_focus_stays_where_the_learner_types(page: Page) -> None:
    write(page, "x = 1")
    with page.expect_response(lambda r: r.request.method == "POST"):
        page.keyboard.press("Control+Enter")
    page.keyboard.type("23")
    assert text(page) == "x = 123"


def test_tab_indents_and_after_escape_leaves(page: Page) -> None:
    write(page, "x")
    page.keyboard.press("Tab")
    assert text(page) == "    x"
    page.keyboard.press("Shift+Tab")
    assert text(page) == "x"
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.cm-editor')") is None


def test_pinyin_arrives_as_composed(page: Page) -> None:
    write(page, "")
    session = page.context.new_cdp_session(page)
    session.send("Input.imeSetComposition", {"text": "taikuaile", "selectionStart": 9, "selectionEnd": 9})
    session.send("Input.insertText", {"text": "太快了"})
    assert text(page) == "太快了"


@pytest.mark.parametrize("shift", [True, False])
def test_enter_of_an_input_method_submits_nothing(judge: WebJudge, page: Page, shift: bool) -> None:
    write(page, SOURCE)
    keys = f"key: 'Enter', keyCode: 229, ctrlKey: true, shiftKey: {str(shift).lower()}"
    event = f"new KeyboardEvent('keydown', {{{keys}, bubbles: true, cancelable: true}})"
    page.evaluate(f"document.activeElement.dispatchEvent({event})")
    page.evaluate(f"document.body.dispatchEvent({event})")
    page.keyboard.press("Control+s")
    saved(page)
    assert judge.store.queue_state().queued == 0


def test_full_width_punctuation_is_marked_outside_strings(page: Page) -> None:
    write(page, 's = "，"  # （\nprint(1，2）\n')
    expect(page.locator(".cm-lintRange-error")).to_have_count(2)
    page.locator(".cm-lintRange-error").first.hover()
    page.get_by_role("button", name="Replace by ,").click()
    assert text(page) == 's = "，"  # （\nprint(1,2）\n'
    expect(page.locator(".cm-lintRange-error")).to_have_count(1)


def test_fast_typing_is_exact_while_results_come(judge: WebJudge, page: Page) -> None:
    write(page, "")
    with page.expect_response(lambda r: r.request.method == "POST"):
        page.keyboard.press("Control+Shift+Enter")
    judge.finish("WA")
    typed = "abc def ghi " * 20
    page.keyboard.type(typed, delay=2)
    assert text(page) == typed


def test_extensions_and_keyboards_are_told_to_keep_off(page: Page) -> None:
    for name, value in {
        "autocapitalize": "off",
        "autocorrect": "off",
        "spellcheck": "false",
        "translate": "no",
        "data-gramm": "false",
    }.items():
        expect(page.locator(EDITOR)).to_have_attribute(name, value)
    expect(page.get_by_role("textbox", name="Your solution. Tab indents.")).to_be_visible()


def test_the_plain_editor_works_end_to_end(judge: WebJudge, learner: Learner) -> None:
    page = open_problem(learner.page(), "?editor=plain")
    area = page.locator("textarea.plain")
    area.fill(SOURCE)
    saved(page)
    page.locator("#reset").click()
    expect(area).to_have_value(STARTER)
    page.keyboard.press("Control+z")
    expect(area).to_have_value(SOURCE)
    page.keyboard.press("Control+Shift+Enter")
    expect(page.locator("#submit[aria-disabled=false]")).to_be_visible()
    assert judge.claim().source == SOURCE.encode()
