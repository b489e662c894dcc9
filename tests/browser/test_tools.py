"""What helps while writing: completion, search, marks, files, sizes, keys, and the row of symbols on a phone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from web_judge import SOURCE, WebJudge

from browser.browsing import EDITOR, Learner, open_problem, saved, text, write

pytestmark = pytest.mark.browser
POPUP = ".cm-tooltip-autocomplete"
PASTE = """(text) => {
    const data = new DataTransfer();
    data.setData('text/plain', text);
    const event = new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true});
    document.querySelector('.cm-content').dispatchEvent(event);
}"""


def test_names_of_torch_are_completed_with_a_line_each(page: Page) -> None:
    write(page, "import torch\nx = ")
    page.keyboard.type("torch.softm")
    expect(page.locator(f"{POPUP} li").first).to_have_text("softmax(input, dim)")
    expect(page.locator(".cm-completionInfo")).to_have_text("exponentials that sum to one along dim")
    page.wait_for_timeout(100)  # what came up under the fingers is not accepted at once
    page.keyboard.press("Enter")
    assert text(page).endswith("x = torch.softmax")
    page.keyboard.type(".masked_f")
    expect(page.locator(f"{POPUP} li").first).to_contain_text("masked_fill")


def test_enter_after_a_whole_name_ends_the_line(page: Page) -> None:
    write(page, "x = ")
    page.keyboard.type("q.shape")
    expect(page.locator(POPUP)).to_be_visible()
    page.wait_for_timeout(100)
    page.keyboard.press("Enter")
    assert text(page) == "x = q.shape\n"


def test_nothing_is_offered_in_strings_and_comments(page: Page) -> None:
    write(page, "")
    page.keyboard.type("# torch.so")
    page.keyboard.press("Control+s")
    saved(page)
    expect(page.locator(POPUP)).to_have_count(0)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x = (1,\n", "“(” is never closed."),
        ("x = 1)\n", "“)” closes nothing."),
        ("x = [\n1)\n", "“)” does not fit “[” in line 1."),
        ("def f():\nreturn 1\n", "An indented block is expected here."),
        ("x = 1\n    y = 2\n", "This line is indented without reason."),
        ("if x:\n    y\n  z\n", "This indentation fits no line above."),
        ("x = = 1\n", "Python may not be able to read this line."),
    ],
)
def test_what_python_would_refuse_is_marked(page: Page, source: str, message: str) -> None:
    write(page, source)
    mark = page.locator(".cm-lintRange-error, .cm-lintRange-warning, .cm-lintPoint")
    expect(mark).to_have_count(1)
    mark.hover()
    expect(page.locator(".cm-tooltip-lint")).to_have_text(message)


def test_right_code_has_no_mark(page: Page) -> None:
    write(page, 's = """(\n  ]"""  # (\nif s: pass\ndef f(\n  a,\n): return [a\n, {1: 2}]\nx = 1 + \\\n    2\n')
    page.keyboard.press("Control+s")
    saved(page)
    expect(page.locator(".cm-lintRange")).to_have_count(0)


def test_special_spaces_of_a_paste_are_made_plain_outside_strings(page: Page) -> None:
    write(page, "")
    page.evaluate(PASTE, "def f():\n\u00a0\u00a0\u00a0\u00a0return\u200b 's\u00a0'\n")
    expect(page.locator("#notice")).to_contain_text("5 special spaces in what you pasted were made plain.")
    assert text(page) == "def f():\n    return 's\u00a0'\n"
    page.keyboard.press("Control+z")
    assert text(page).count("\u00a0") == 5


def test_search_has_its_panel_in_the_language_of_the_page(page: Page) -> None:
    write(page, SOURCE)
    page.keyboard.press("Control+f")
    expect(page.locator(".cm-search [name=search]")).to_be_focused()
    page.locator("#language").click()
    page.keyboard.press("Escape")
    page.locator(EDITOR).click()
    page.keyboard.press("Control+f")
    expect(page.locator(".cm-search [name=replaceAll]")).to_have_text("全部替换")


def test_a_file_is_loaded_as_one_undoable_edit_and_saved_again(page: Page, tmp_path: Path) -> None:
    write(page, SOURCE)
    file = tmp_path / "mine.py"
    file.write_bytes("x = '注意力'\r\n".encode())
    page.locator("#file").set_input_files(file)
    expect(page.locator("#notice")).to_contain_text("mine.py is in the editor.")
    assert text(page) == "x = '注意力'\n"
    page.locator("#more summary").click()
    with page.expect_download() as download:
        page.locator("#download").click()
    assert download.value.path().read_text() == "x = '注意力'\n"
    page.locator(EDITOR).click()
    page.keyboard.press("Control+z")
    assert text(page) == SOURCE


@pytest.mark.parametrize(
    ("content", "said"), [(b"#" * 65_537, "The file has 65537 bytes"), (b"x = '\xff'", "is not UTF-8 text.")]
)
def test_a_file_that_cannot_be_taken_changes_nothing(page: Page, tmp_path: Path, content: bytes, said: str) -> None:
    write(page, SOURCE)
    file = tmp_path / "mine.py"
    file.write_bytes(content)
    page.locator("#file").set_input_files(file)
    expect(page.locator("#notice")).to_contain_text(said)
    assert text(page) == SOURCE


def test_the_size_of_the_text_stays(page: Page) -> None:
    size = "parseFloat(getComputedStyle(document.querySelector('.cm-content')).fontSize)"
    page.locator("#more summary").click()
    page.locator("#larger").click()
    page.locator("#larger").click()
    assert page.evaluate(size) == 16
    page.keyboard.press("Escape")
    expect(page.locator("#more summary")).to_be_focused()
    page.reload()
    expect(page.locator(EDITOR)).to_be_visible()
    assert page.evaluate(size) == 16


def test_the_sheet_of_keys_opens_and_closes_by_key(page: Page) -> None:
    write(page, "x = 1")
    page.keyboard.press("F1")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(EDITOR)).to_be_focused()
    page.keyboard.press("Control+/")
    assert text(page) == "# x = 1"
    page.locator("#tab-statement").focus()
    page.keyboard.press("Control+/")
    expect(page.locator("#keys")).to_be_visible()


def test_tab_can_be_made_to_leave_the_editor(page: Page) -> None:
    write(page, "x")
    page.locator("#more summary").click()
    page.locator("#tab-leaves").click()
    page.locator(EDITOR).click()
    page.keyboard.press("Tab")
    assert text(page) == "x"
    assert page.evaluate("document.activeElement.closest('.cm-editor')") is None


def test_a_phone_has_the_symbols_its_keyboard_lacks(judge: WebJudge, new_learner: Callable[..., Learner]) -> None:
    page = new_learner(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True).page()
    open_problem(page, view="code")
    write(page, "x")
    page.locator("#symbols [data-text='[']").tap()
    page.locator("#indent").tap()
    assert text(page) == "    x["
    page.locator("#undo").tap()
    page.locator("#undo").tap()
    expect(page.locator(EDITOR)).to_be_focused()
    assert "[" not in text(page)
    page.locator("#view-read").tap()
    expect(page.locator("#symbols")).to_be_hidden()
