"""What a result shows: each verdict in words and shape, where it failed, what comes next, and in its place."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from records import SMALLEST
from web_judge import SOURCE, WebJudge

from browser.browsing import EDITOR, submit, text, write
from judge.messages import VERDICT_WORDS
from judge.model import CaseResult, Report

pytestmark = pytest.mark.browser


def test_the_smallest_failing_input_is_a_table_with_code_to_copy(judge: WebJudge, page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    write(page, SOURCE)
    submit(page)
    claim = judge.finish("WA", {"code": "number", "of": "result"}, diagnosing=True)
    judge.store.set_diagnosis(claim, "squares", SMALLEST)
    shown = page.locator(".smallest")
    expect(shown.locator("h3")).to_have_text("Smallest input that fails: double(x)")
    expect(shown.locator("tbody td")).to_have_text(["1", "2", "1", "4", "2", "4"])
    shown.locator("summary").click()
    shown.locator(".copy-code").click()
    expect(shown.locator(".copy-code")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == SMALLEST.code


def test_an_old_verdict_fades_until_undo(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    submit(page)
    judge.finish("AC")
    expect(page.locator("#status")).to_contain_text("Accepted")
    expect(page.locator("#older")).to_be_hidden()
    page.keyboard.press("ArrowLeft")  # what is typed now is an edit of its own
    page.keyboard.type("#")
    expect(page.locator("#older")).to_contain_text("The editor has changed since.")
    expect(page.locator("#older")).to_be_visible()
    page.keyboard.press("Control+z")
    expect(page.locator("#older")).to_be_hidden()


def test_the_same_verdict_twice_is_read_out_twice(judge: WebJudge, page: Page) -> None:
    texts = []
    for number in range(2):
        write(page, SOURCE + "#" * number)
        submit(page)
        judge.finish("WA")
        expect(page.locator("#status")).to_contain_text(f"Submission {number + 1}.")
        texts.append(page.locator("#status").inner_text())
    assert texts[0] != texts[1]
    assert page.locator("[role=status]").count() == 1


@pytest.mark.parametrize("verdict", ["AC", "WA", "TLE", "MLE", "OLE", "RTE", "CE", "RF", "JE"])
def test_every_verdict_has_a_word_and_a_shape_of_its_own(judge: WebJudge, page: Page, verdict: str) -> None:
    write(page, SOURCE)
    submit(page)
    finding = {"code": "syntax", "line": 2, "column": 3, "message": "bad"} if verdict == "CE" else None
    judge.finish(verdict, finding)  # type: ignore[arg-type]
    use = page.locator("#status svg use")
    expect(use).to_have_attribute("href", f"#icon-{verdict}")
    expect(page.locator("#status")).to_contain_text("Our fault" if verdict == "JE" else VERDICT_WORDS[verdict][0])
    shapes = page.evaluate("[...document.querySelectorAll('symbol')].map((s) => s.innerHTML)")
    assert len(set(shapes)) == len(shapes)


def test_a_line_that_is_named_is_marked_and_reached(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    submit(page)
    judge.finish("CE", {"code": "syntax", "line": 2, "column": 3, "message": "bad"})
    expect(page.locator(".cm-lint-marker-error")).to_be_visible()
    page.locator(".to-line").click()
    page.keyboard.type("#")
    assert page.locator(f"{EDITOR} .cm-line").nth(1).inner_text().startswith("#")
    expect(page.locator(".cm-lint-marker-error")).to_have_count(0)


def test_a_sample_shows_input_expected_and_got(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    submit(page)
    tensor = {"shape": [1, 2], "dtype": "float32", "cut": False, "values": [[1.0, "nan"]]}
    picture = {"of": "result", "names": ["q"], "inputs": [tensor], "expected": tensor, "got": None}
    claim = judge.claim()
    case = CaseResult("test_example_two", True, "WA", tensors=[picture], stdout="\x1b[31m<b>red")
    judge.store.finish(claim, Report("double", "WA", (case,), 1.0, 1, "local", 1, "0" * 64))
    details = page.locator(".details").first
    expect(details).to_contain_text("q shape [1, 2]")
    expect(details.locator("tbody td").nth(1)).to_have_text("NaN")
    expect(details.locator(".output")).to_have_text("␛[31m<b>red")


def test_the_line_that_does_not_load_is_shown_and_mended_in_one_press(judge: WebJudge, page: Page) -> None:
    write(page, "def double(x，y):\n    return x\n")
    submit(page)
    place = {"line": 1, "column": 13, "message": "bad", "text": "def double(x，y):"}
    judge.finish("CE", {"code": "full_width", "character": "，", "plain": ","} | place)
    expect(page.locator(".excerpt")).to_have_text("1 │ def double(x，y):")
    expect(page.locator(".excerpt mark")).to_have_text("，")
    page.locator("#result").get_by_role("button", name="Replace by ,").click()
    assert text(page) == "def double(x,y):\n    return x\n"
    page.keyboard.press("Control+z")
    assert text(page) == "def double(x，y):\n    return x\n"


def test_acceptance_leads_on(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    submit(page)
    judge.finish("AC")
    expect(page.locator("#body .facts")).to_contain_text("your best time")
    page.get_by_role("button", name="Compare with the reference").click()
    expect(page.locator("#solution .diff ins")).to_have_text("+     return x * 2")
    page.locator("#language").click()
    expect(page.locator("#solution h2, #solution .buttons").first).to_be_visible()
    page.get_by_role("button", name="与参考答案对比").click()
    expect(page.locator("#solution .diff del").last).to_contain_text("the secret way")


@pytest.mark.parametrize(
    ("verdict", "step"),
    [("TLE", "Run samples"), ("RF", "What is allowed"), ("WA", "Hints"), ("JE", "Try again"), ("JE", "Copy report")],
)
def test_each_verdict_offers_its_next_step(judge: WebJudge, page: Page, verdict: str, step: str) -> None:
    write(page, SOURCE)
    submit(page)
    judge.finish(verdict)  # type: ignore[arg-type]
    expect(page.locator("#body").get_by_role("button", name=step)).to_be_visible()


def test_the_result_comes_into_sight_and_the_focus_stays(judge: WebJudge, page: Page) -> None:
    page.locator("#divide-y").focus()
    page.keyboard.press("Home")
    write(page, SOURCE)
    submit(page)
    judge.finish("WA")
    expect(page.locator("#status")).to_be_in_viewport()
    expect(page.locator(EDITOR)).to_be_focused()


def test_another_outcome_is_read_from_its_top_and_the_same_one_keeps_its_place(judge: WebJudge, page: Page) -> None:
    top = "document.getElementById('result').scrollTop"
    page.set_viewport_size({"width": 1280, "height": 300})
    places = []
    for verdict in ("WA", "WA", "AC"):
        write(page, SOURCE + "#" * len(places))
        submit(page)
        judge.finish(verdict)  # type: ignore[arg-type]
        expect(page.locator("#status")).to_contain_text(f"Submission {len(places) + 1}.")
        expect(page.locator("#status use")).to_have_attribute("href", f"#icon-{verdict}")
        places.append(page.evaluate(top))
        page.evaluate(f"{top} = 20")
    assert places == [0, 20, 0]


def test_a_time_out_tells_how_fast_the_cases_before_were(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    submit(page)
    judge.finish("TLE", {"code": "time", "seconds": 2.0, "limit": 2.0, "shape": [4, 512]})
    expect(page.locator("#status")).to_contain_text("Time limit exceeded in case 2: Large numbers")
    expect(page.locator(".message")).to_have_text("stopped after 2 s (limit 2 s), with inputs of up to shape [4, 512]")
    expect(page.locator("#body")).to_contain_text("The slowest case before it took 1.5 ms: Two")
    page.get_by_role("button", name="The limits").click()
    expect(page.locator("#statement")).to_be_visible()


def test_acceptance_tells_what_was_proved_and_folds_the_cases(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    submit(page)
    judge.finish("AC")
    expect(page.locator("#body")).to_contain_text("Shown to hold: Large numbers; The gradient.")
    expect(page.locator(".case").first).to_be_hidden()
    page.get_by_text("All cases with their times").click()
    expect(page.locator(".case")).to_have_count(3)
    expect(page.locator(".case").first).to_be_visible()


def test_a_file_that_does_not_load_says_why_in_the_first_line(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    submit(page)
    judge.finish("CE", {"code": "syntax", "line": 1, "column": 3, "message": "bad", "text": "def"})
    expect(page.locator("#status")).to_contain_text("Does not load: line 1, column 3: bad")
