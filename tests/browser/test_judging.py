"""From the key press to the verdict: once, live, whatever the connection does, and never a verdict of another text."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect
from records import SMALLEST
from web_judge import SOURCE, WebJudge, add_problem, cases

from browser.browsing import EDITOR, Learner, open_problem, text, write
from judge.messages import VERDICT_WORDS
from judge.model import CaseResult, Report

pytestmark = pytest.mark.browser
POSTS = "**/api/v1/submissions?*"


def rows(judge: WebJudge) -> int:
    state = judge.store.queue_state()
    return state.queued + state.running + sum(tally.judgings for tally in judge.store.tallies())


def status(page: Page) -> str:
    return page.locator("#status").inner_text()


def submitted(page: Page, chord: str = "Control+Shift+Enter") -> None:
    with page.expect_response(lambda r: r.request.method == "POST" and r.ok):
        page.keyboard.press(chord)


def test_cases_come_live_and_then_the_verdict(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    submitted(page)
    claim = judge.claim()
    judge.store.record_cases(claim, cases("WA")[:1])
    expect(page.locator("#status")).to_contain_text("Running case 2 of 3: Large numbers")
    expect(page.locator(".case").nth(0)).to_contain_text("Passed")
    judge.finish("WA", {"code": "shape", "got": [2], "expected": [3], "of": "result"}, claim, diagnosing=True)
    expect(page.locator("#status")).to_contain_text("Wrong answer in case 2: Large numbers")
    expect(page.locator(".message").first).to_have_text("result has shape [2], expected [3]")
    judge.store.set_diagnosis(claim, "squares")
    expect(page.locator(".mistake")).to_have_text("Your result is the square of the input.")
    assert page.evaluate("[...document.querySelectorAll('#body > p')].map((p) => p.className)")[:3] == [
        "facts",
        "mistake",
        "message",
    ]


def test_the_smallest_failing_input_is_a_table_with_code_to_copy(judge: WebJudge, page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    write(page, SOURCE)
    submitted(page)
    claim = judge.finish("WA", {"code": "number", "of": "result"}, diagnosing=True)
    judge.store.set_diagnosis(claim, "squares", SMALLEST)
    shown = page.locator(".smallest")
    expect(shown.locator("h3")).to_have_text("Smallest input that fails: double(x)")
    expect(shown.locator("tbody td")).to_have_text(["1", "2", "1", "4", "2", "4"])
    shown.locator("summary").click()
    shown.locator(".copy-code").click()
    expect(shown.locator(".copy-code")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == SMALLEST.code


def test_a_blocked_stream_still_brings_the_verdict(judge: WebJudge, page: Page) -> None:
    page.route("**/events*", lambda route: route.fulfill(status=403))
    write(page, SOURCE)
    submitted(page)
    judge.finish("AC")
    expect(page.locator("#status")).to_contain_text("Accepted", timeout=3000)


def test_a_silent_stream_still_brings_the_verdict(judge: WebJudge, page: Page) -> None:
    page.route("**/events*", lambda route: None)
    write(page, SOURCE)
    submitted(page)
    judge.finish("AC")
    expect(page.locator("#status")).to_contain_text("Accepted", timeout=3000)


def test_a_tab_that_wakes_reads_again(judge: WebJudge, page: Page) -> None:
    page.add_init_script("window.EventSource = class extends EventTarget { close() {} }")
    page.reload()
    page.route("**/submissions/*wait=*", lambda route: None)
    write(page, SOURCE)
    submitted(page)
    judge.finish("AC")
    page.evaluate("dispatchEvent(new Event('pageshow'))")
    expect(page.locator("#status")).to_contain_text("Accepted", timeout=1000)


@pytest.mark.parametrize("press", ["double click", "chord three times"])
def test_one_press_is_one_submission(judge: WebJudge, page: Page, press: str) -> None:
    write(page, SOURCE)
    with page.expect_response(POSTS):
        if press == "double click":
            page.locator("#submit").dblclick()
        else:
            for _ in range(3):
                page.keyboard.press("Control+Shift+Enter")
    judge.finish("AC")
    expect(page.locator("#status")).to_contain_text("Accepted")
    assert rows(judge) == 1


def test_a_lost_answer_makes_no_second_submission(judge: WebJudge, page: Page) -> None:
    lost = []

    def lose_the_first(route: Route) -> None:
        if route.request.method == "POST" and not lost:
            lost.append(route.fetch().json()["id"])
            route.abort()
        else:
            route.fallback()

    page.route(POSTS, lose_the_first)
    write(page, SOURCE)
    page.locator("#submit").click()
    expect(page.locator("#status")).to_contain_text("Not sent yet")
    judge.finish("AC")
    expect(page.locator("#status")).to_contain_text(f"Submission {lost[0] if lost else 1}.")
    assert rows(judge) == 1


def test_offline_is_said_and_sent_once_when_online(judge: WebJudge, learner: Learner, page: Page) -> None:
    write(page, SOURCE)
    learner.context.set_offline(True)
    page.locator("#submit").click()
    expect(page.locator("#status")).to_contain_text("Not sent yet", timeout=2000)
    assert rows(judge) == 0
    learner.context.set_offline(False)
    expect(page.locator("#status")).not_to_contain_text("Not sent yet")
    judge.finish("AC")
    expect(page.locator("#status")).to_contain_text("Accepted")


def test_a_lost_cookie_costs_nothing(judge: WebJudge, learner: Learner, page: Page) -> None:
    write(page, SOURCE)
    learner.context.clear_cookies()
    page.locator("#submit").click()
    expect(page.locator("#status")).not_to_contain_text("Nothing judged")
    page.wait_for_timeout(200)
    judge.finish("AC")
    expect(page.locator("#status")).to_contain_text("Accepted")
    assert "return x * 2" in page.locator(EDITOR).inner_text()


def test_a_refusal_gives_its_reason(judge: WebJudge, page: Page) -> None:
    write(page, "#" * 70_000)
    page.locator("#submit").click()
    expect(page.locator("#status")).to_contain_text("Not accepted: The source has 70000 bytes; the limit is 65536.")


def test_samples_and_submit_are_told_apart(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    submitted(page, "Control+Enter")
    assert judge.finish("AC").samples_only
    expect(page.locator("#status")).to_contain_text("Samples passed, not yet submitted.")
    submitted(page)
    assert not judge.finish("AC").samples_only
    expect(page.locator("#status")).to_contain_text("Accepted. All 3 cases passed.")


def test_an_old_verdict_fades_until_undo(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    submitted(page)
    judge.finish("AC")
    expect(page.locator("#status")).to_contain_text("Accepted")
    expect(page.locator("#older")).to_be_hidden()
    page.keyboard.press("ArrowLeft")  # what is typed now is an edit of its own
    page.keyboard.type("#")
    expect(page.locator("#older")).to_contain_text("The editor has changed since.")
    expect(page.locator("#older")).to_be_visible()
    page.keyboard.press("Control+z")
    expect(page.locator("#older")).to_be_hidden()


def test_a_reload_shows_the_same_state(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    submitted(page)
    page.reload()
    judge.finish("AC")
    expect(page.locator("#status")).to_contain_text("Accepted")
    page.reload()
    expect(page.locator("#status")).to_contain_text("Accepted")


def test_the_same_verdict_twice_is_read_out_twice(judge: WebJudge, page: Page) -> None:
    texts = []
    for number in range(2):
        write(page, SOURCE + "#" * number)
        submitted(page)
        judge.finish("WA")
        expect(page.locator("#status")).to_contain_text(f"Submission {number + 1}.")
        texts.append(status(page))
    assert texts[0] != texts[1]
    assert page.locator("[role=status]").count() == 1


@pytest.mark.parametrize("verdict", ["AC", "WA", "TLE", "MLE", "OLE", "RTE", "CE", "RF", "JE"])
def test_every_verdict_has_a_word_and_a_shape_of_its_own(judge: WebJudge, page: Page, verdict: str) -> None:
    write(page, SOURCE)
    submitted(page)
    finding = {"code": "syntax", "line": 2, "column": 3, "message": "bad"} if verdict == "CE" else None
    judge.finish(verdict, finding)  # type: ignore[arg-type]
    use = page.locator("#status svg use")
    expect(use).to_have_attribute("href", f"#icon-{verdict}")
    expect(page.locator("#status")).to_contain_text("Our fault" if verdict == "JE" else VERDICT_WORDS[verdict][0])
    shapes = page.evaluate("[...document.querySelectorAll('symbol')].map((s) => s.innerHTML)")
    assert len(set(shapes)) == len(shapes)


def test_a_line_that_is_named_is_marked_and_reached(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    submitted(page)
    judge.finish("CE", {"code": "syntax", "line": 2, "column": 3, "message": "bad"})
    expect(page.locator(".cm-lint-marker-error")).to_be_visible()
    page.locator(".to-line").click()
    page.keyboard.type("#")
    assert page.locator(f"{EDITOR} .cm-line").nth(1).inner_text().startswith("#")
    expect(page.locator(".cm-lint-marker-error")).to_have_count(0)


def test_a_sample_shows_input_expected_and_got(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    submitted(page)
    tensor = {"shape": [1, 2], "dtype": "float32", "cut": False, "values": [[1.0, "nan"]]}
    picture = {"of": "result", "names": ["q"], "inputs": [tensor], "expected": tensor, "got": None}
    claim = judge.claim()
    case = CaseResult("test_example_two", True, "WA", tensors=[picture], stdout="\x1b[31m<b>red")
    judge.store.finish(claim, Report("double", "WA", (case,), 1.0, 1, "local", 1, "0" * 64))
    details = page.locator(".details").first
    expect(details).to_contain_text("q shape [1, 2]")
    expect(details.locator("tbody td").nth(1)).to_have_text("NaN")
    expect(details.locator(".output")).to_have_text("␛[31m<b>red")


def test_waiting_is_shown_and_can_be_cancelled(
    judge: WebJudge, new_learner: Callable[..., Learner], page: Page
) -> None:
    other = open_problem(new_learner().page())
    write(other, SOURCE)
    submitted(other)
    write(page, SOURCE)
    submitted(page)
    expect(page.locator("#status")).to_contain_text("Waiting: 1 ahead of you")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#status")).to_contain_text("Cancelled")


def test_idle_tabs_hold_no_stream(judge: WebJudge, learner: Learner, page: Page) -> None:
    write(page, SOURCE)
    submitted(page)
    judge.finish("AC")
    expect(page.locator("#status")).to_contain_text("Accepted")
    pages = [open_problem(learner.page()) for _ in range(8)]
    expect(pages[-1].locator("#status")).to_contain_text("Accepted")
    asked = pages[-1].evaluate("performance.getEntriesByType('resource').map((e) => e.name)")
    assert not [name for name in asked if re.search("events|wait=", name)]
    assert judge.app.extensions["feed"].waiting == 0


def test_the_list_tells_what_was_solved(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    submitted(page)
    judge.finish("AC")
    expect(page.locator("#status")).to_contain_text("Accepted")
    page.goto("/")
    expect(page.locator("[data-slug=double]")).to_contain_text("Solved")
    page.goto("/problems/double/submissions")
    page.locator("tbody a").first.click()
    expect(page.locator("#status")).to_contain_text("Accepted")
    expect(page.locator(".source")).to_contain_text("return x * 2")


def test_the_line_that_does_not_load_is_shown_and_mended_in_one_press(judge: WebJudge, page: Page) -> None:
    write(page, "def double(x，y):\n    return x\n")
    submitted(page)
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
    submitted(page)
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
    submitted(page)
    judge.finish(verdict)  # type: ignore[arg-type]
    expect(page.locator("#body").get_by_role("button", name=step)).to_be_visible()


def test_tabs_of_one_browser_share_one_stream(judge: WebJudge, learner: Learner, page: Page) -> None:
    other = open_problem(learner.page())
    asked: list[str] = []
    for one in (page, other):
        one.on("request", lambda request: asked.append(request.url))
    write(page, SOURCE)
    submitted(page)
    claim = judge.claim()
    for one in (page, other):
        expect(one.locator("#status")).to_contain_text("Running case 1 of 3")
    judge.finish("AC", claim=claim)
    for one in (page, other):
        expect(one.locator("#status")).to_contain_text("Accepted")
    assert len([url for url in asked if "/events" in url or "wait=" in url]) == 1


def test_a_lost_connection_is_said_and_found_again(judge: WebJudge, learner: Learner, page: Page) -> None:
    write(page, SOURCE)
    submitted(page)
    page.route("**/submissions/**", lambda route: route.abort())
    page.evaluate("dispatchEvent(new Event('pageshow'))")
    expect(page.locator("#status")).to_contain_text("Connection lost. Still being judged")
    judge.finish("AC")
    page.unroute("**/submissions/**")
    page.get_by_role("button", name="Check now").click()
    expect(page.locator("#status")).to_contain_text("Accepted")


def test_a_late_result_stays_with_its_problem(judge: WebJudge, page: Page) -> None:
    add_problem(judge.config.problems, "triple")
    write(page, SOURCE)
    submitted(page)
    page.goto("/problems/triple")
    expect(page.locator("#status")).to_contain_text("Nothing judged yet.")
    judge.finish("AC")
    page.reload()
    expect(page.locator("#status")).to_contain_text("Nothing judged yet.")
    page.goto("/")
    expect(page.locator("[data-slug=double]")).to_contain_text("Solved")


def test_the_result_comes_into_sight_and_the_focus_stays(judge: WebJudge, page: Page) -> None:
    page.locator("#divide-y").focus()
    page.keyboard.press("Home")
    write(page, SOURCE)
    submitted(page)
    judge.finish("WA")
    expect(page.locator("#status")).to_be_in_viewport()
    expect(page.locator(EDITOR)).to_be_focused()


@pytest.mark.parametrize(("chord", "samples"), [("Control+Enter", True), ("Control+Shift+Enter", False)])
def test_each_chord_makes_one_request_of_its_kind(page: Page, chord: str, samples: bool) -> None:
    sent: list[bool] = []
    page.on("request", lambda r: r.method == "POST" and sent.append(r.post_data_json["samples_only"]))
    write(page, SOURCE)
    submitted(page, chord)
    expect(page.locator("#submit[aria-disabled=false]")).to_be_visible()
    assert sent == [samples]


def test_another_outcome_is_read_from_its_top_and_the_same_one_keeps_its_place(judge: WebJudge, page: Page) -> None:
    top = "document.getElementById('result').scrollTop"
    page.set_viewport_size({"width": 1280, "height": 300})
    places = []
    for verdict in ("WA", "WA", "AC"):
        write(page, SOURCE + "#" * len(places))
        submitted(page)
        judge.finish(verdict)  # type: ignore[arg-type]
        expect(page.locator("#status")).to_contain_text(f"Submission {len(places) + 1}.")
        expect(page.locator("#status use")).to_have_attribute("href", f"#icon-{verdict}")
        places.append(page.evaluate(top))
        page.evaluate(f"{top} = 20")
    assert places == [0, 20, 0]


def test_a_time_out_tells_how_fast_the_cases_before_were(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    submitted(page)
    judge.finish("TLE", {"code": "time", "seconds": 2.0, "limit": 2.0, "shape": [4, 512]})
    expect(page.locator("#status")).to_contain_text("Time limit exceeded in case 2: Large numbers")
    expect(page.locator(".message")).to_have_text("stopped after 2 s (limit 2 s), with inputs of up to shape [4, 512]")
    expect(page.locator("#body")).to_contain_text("The slowest case before it took 1.5 ms: Two")
    page.get_by_role("button", name="The limits").click()
    expect(page.locator("#statement")).to_be_visible()


def test_acceptance_tells_what_was_proved_and_folds_the_cases(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    submitted(page)
    judge.finish("AC")
    expect(page.locator("#body")).to_contain_text("Shown to hold: Large numbers; The gradient.")
    expect(page.locator(".case").first).to_be_hidden()
    page.get_by_text("All cases with their times").click()
    expect(page.locator(".case")).to_have_count(3)
    expect(page.locator(".case").first).to_be_visible()


def test_a_file_that_does_not_load_says_why_in_the_first_line(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    submitted(page)
    judge.finish("CE", {"code": "syntax", "line": 1, "column": 3, "message": "bad", "text": "def"})
    expect(page.locator("#status")).to_contain_text("Does not load: line 1, column 3: bad")
