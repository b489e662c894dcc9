"""From the key press to the verdict: once, live, whatever the connection does, and never a verdict of another text."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect
from web_judge import SOURCE, WebJudge, add_problem, cases

from browser.browsing import EDITOR, Learner, open_problem, submit, write

pytestmark = pytest.mark.browser
POSTS = "**/api/v1/submissions?*"


def rows(judge: WebJudge) -> int:
    state = judge.store.queue_state()
    return state.queued + state.running + sum(tally.judgings for tally in judge.store.tallies())


def test_cases_come_live_and_then_the_verdict(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    submit(page)
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


def test_a_blocked_stream_still_brings_the_verdict(judge: WebJudge, page: Page) -> None:
    page.route("**/events*", lambda route: route.fulfill(status=403))
    write(page, SOURCE)
    submit(page)
    judge.finish("AC")
    expect(page.locator("#status")).to_contain_text("Accepted", timeout=3000)


def test_a_silent_stream_still_brings_the_verdict(judge: WebJudge, page: Page) -> None:
    page.route("**/events*", lambda route: None)
    write(page, SOURCE)
    submit(page)
    judge.finish("AC")
    expect(page.locator("#status")).to_contain_text("Accepted", timeout=3000)


def test_a_tab_that_wakes_reads_again(judge: WebJudge, page: Page) -> None:
    page.add_init_script("window.EventSource = class extends EventTarget { close() {} }")
    page.reload()
    page.route("**/submissions/*wait=*", lambda route: None)
    write(page, SOURCE)
    submit(page)
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
    submit(page, "Control+Enter")
    assert judge.finish("AC").samples_only
    expect(page.locator("#status")).to_contain_text("Samples passed, not yet submitted.")
    submit(page)
    assert not judge.finish("AC").samples_only
    expect(page.locator("#status")).to_contain_text("Accepted. All 3 cases passed.")


def test_a_reload_shows_the_same_state(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    submit(page)
    page.reload()
    judge.finish("AC")
    expect(page.locator("#status")).to_contain_text("Accepted")
    page.reload()
    expect(page.locator("#status")).to_contain_text("Accepted")


def test_waiting_is_shown_and_can_be_cancelled(
    judge: WebJudge, new_learner: Callable[..., Learner], page: Page
) -> None:
    other = open_problem(new_learner().page())
    write(other, SOURCE)
    submit(other)
    write(page, SOURCE)
    submit(page)
    expect(page.locator("#status")).to_contain_text("Waiting: 1 ahead of you")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#status")).to_contain_text("Cancelled")


def test_idle_tabs_hold_no_stream(judge: WebJudge, learner: Learner, page: Page) -> None:
    write(page, SOURCE)
    submit(page)
    judge.finish("AC")
    expect(page.locator("#status")).to_contain_text("Accepted")
    pages = [open_problem(learner.page()) for _ in range(8)]
    expect(pages[-1].locator("#status")).to_contain_text("Accepted")
    asked = pages[-1].evaluate("performance.getEntriesByType('resource').map((e) => e.name)")
    assert not [name for name in asked if re.search("events|wait=", name)]
    assert judge.app.extensions["feed"].waiting == 0


def test_the_list_tells_what_was_solved(judge: WebJudge, page: Page) -> None:
    write(page, SOURCE)
    submit(page)
    judge.finish("AC")
    expect(page.locator("#status")).to_contain_text("Accepted")
    page.goto("/")
    expect(page.locator("[data-slug=double]")).to_contain_text("Solved")
    page.goto("/problems/double/submissions")
    page.locator("tbody a").first.click()
    expect(page.locator("#status")).to_contain_text("Accepted")
    expect(page.locator(".source")).to_contain_text("return x * 2")


def test_tabs_of_one_browser_share_one_stream(judge: WebJudge, learner: Learner, page: Page) -> None:
    other = open_problem(learner.page())
    asked: list[str] = []
    for one in (page, other):
        one.on("request", lambda request: asked.append(request.url))
    write(page, SOURCE)
    submit(page)
    claim = judge.claim()
    for one in (page, other):
        expect(one.locator("#status")).to_contain_text("Running case 1 of 3")
    judge.finish("AC", claim=claim)
    for one in (page, other):
        expect(one.locator("#status")).to_contain_text("Accepted")
    assert len([url for url in asked if re.search(r"/events|submissions/\d+.*wait=", url)]) == 1


def test_a_lost_connection_is_said_and_found_again(judge: WebJudge, learner: Learner, page: Page) -> None:
    write(page, SOURCE)
    submit(page)
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
    submit(page)
    page.goto("/problems/triple")
    expect(page.locator("#status")).to_contain_text("Nothing judged yet.")
    judge.finish("AC")
    page.reload()
    expect(page.locator("#status")).to_contain_text("Nothing judged yet.")
    page.goto("/")
    expect(page.locator("[data-slug=double]")).to_contain_text("Solved")


@pytest.mark.parametrize(("chord", "samples"), [("Control+Enter", True), ("Control+Shift+Enter", False)])
def test_each_chord_makes_one_request_of_its_kind(page: Page, chord: str, samples: bool) -> None:
    sent: list[bool] = []
    page.on("request", lambda r: r.method == "POST" and sent.append(r.post_data_json["samples_only"]))
    write(page, SOURCE)
    submit(page, chord)
    expect(page.locator("#submit[aria-disabled=false]")).to_be_visible()
    assert sent == [samples]
