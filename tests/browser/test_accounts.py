"""Accounts in a browser: work is carried over, and a session that ends costs nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from web_judge import SOURCE, WebJudge

from browser.browsing import EDITOR, Learner, open_problem, write

pytestmark = pytest.mark.browser
PASSWORD = "correct horse 42"
CONTRAST = (Path(__file__).parent / "contrast.js").read_text()


def fill(page: Page, name: str, password: str = PASSWORD) -> None:
    page.locator("main").get_by_label("Name").fill(name)
    page.locator("main").get_by_label("Password").fill(password)


def sign_up(page: Page, name: str) -> None:
    page.goto("/sign-up")
    fill(page, name)
    page.locator("main").get_by_role("button", name="Create an account").click()
    expect(page.locator(".bar .who")).to_have_text(name)


def typed(page: Page, text: str) -> None:
    """Writes and waits until the server has it."""
    with page.expect_response(lambda r: r.request.method == "PUT" and r.ok):
        write(page, text)


def rows(judge: WebJudge) -> int:
    return judge.store.queue_state().queued


def test_sign_up_carries_the_work_over(judge: WebJudge, page: Page, new_learner: Callable[..., Learner]) -> None:
    typed(page, SOURCE)
    page.locator("#submit").click()
    expect(page.locator("#status")).to_contain_text(re.compile("Waiting|Sending"))
    judge.finish("AC")
    expect(page.locator("#status")).to_contain_text("Accepted")
    page.locator(".bar").get_by_role("link", name="Sign in").click()
    page.get_by_role("link", name="Create an account").click()
    expect(page.locator("main")).to_contain_text("submissions (1)")
    fill(page, "ada")
    page.locator("main").get_by_role("button", name="Create an account").click()
    expect(page).to_have_url(re.compile("/problems/double$"))
    expect(page.locator(EDITOR)).to_contain_text("return x * 2")
    elsewhere = new_learner().page()
    elsewhere.goto("/sign-in?next=/problems/double")
    fill(elsewhere, "ADA")
    elsewhere.locator("main").get_by_role("button", name="Sign in").click()
    expect(elsewhere.locator(EDITOR)).to_contain_text("return x * 2")
    expect(elsewhere.locator("#status")).to_contain_text("Accepted")


@pytest.mark.parametrize("how", ["the cookie is gone", "signed out everywhere"])
def test_an_ended_session_keeps_the_text_and_sends_once(judge: WebJudge, learner: Learner, how: str) -> None:
    page = learner.page()
    sign_up(page, "ada")
    open_problem(page)
    typed(page, SOURCE)
    account = judge.store.account_named("ada")
    assert account is not None
    if how == "the cookie is gone":
        learner.context.clear_cookies()
    else:
        judge.store.end_sessions(account.id)
    page.keyboard.press("Control+Shift+Enter")
    form = page.get_by_role("form", name="Sign in")
    expect(form).to_contain_text("Not sent yet")
    expect(form.get_by_label("Name")).to_have_value("ada")
    expect(form.get_by_label("Password")).to_be_focused()
    expect(page.locator(EDITOR)).to_contain_text("return x * 2")
    assert rows(judge) == 0
    page.keyboard.type("wrong one")
    page.keyboard.press("Enter")
    expect(form.get_by_role("alert")).to_have_text("Name or password is wrong.")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(form).to_have_count(0)
    expect(page.locator("#status")).to_contain_text(re.compile("Waiting|Sending"))
    expect(page.locator(EDITOR)).to_be_focused()
    assert rows(judge) == 1
    judge.finish("AC")
    expect(page.locator("#status")).to_contain_text("Accepted")
    assert [view.submission.source.decode() for view in judge.store.submissions(account.learner)] == [SOURCE]


def test_signing_in_in_another_tab_is_noticed(judge: WebJudge, learner: Learner) -> None:
    page = learner.page()
    sign_up(page, "ada")
    open_problem(page)
    typed(page, SOURCE)
    learner.context.clear_cookies()
    page.keyboard.press("Control+Shift+Enter")
    form = page.get_by_role("form", name="Sign in")
    expect(form).to_be_visible()
    other = learner.page()
    other.goto("/sign-in")
    fill(other, "ada")
    other.locator("main").get_by_role("button", name="Sign in").click()
    expect(other.locator(".bar .who")).to_have_text("ada")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(form).to_have_count(0)
    expect(page.locator("#status")).to_contain_text(re.compile("Waiting|Sending"))
    assert rows(judge) == 1


def test_the_next_user_of_a_browser_finds_nothing(judge: WebJudge, learner: Learner) -> None:
    page = learner.page()
    sign_up(page, "ada")
    open_problem(page)
    typed(page, SOURCE)
    page.locator(".bar .who").click()
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.locator(".bar").get_by_role("link", name="Sign in")).to_be_visible()
    open_problem(page)
    expect(page.locator(EDITOR)).not_to_contain_text("return x * 2")
    assert page.evaluate("localStorage.length") == 0


def test_a_token_is_made_and_revoked(judge: WebJudge, learner: Learner) -> None:
    page = learner.page()
    sign_up(page, "ada")
    page.goto("/account")
    page.get_by_label("Token for").fill("laptop")
    page.get_by_role("button", name="Make a token").click()
    expect(page.locator("main")).to_contain_text(re.compile(r"JUDGE_TOKEN=aj_\S{40,}"))
    page.goto("/account")
    expect(page.locator("main")).not_to_contain_text("aj_")
    page.get_by_role("row", name="laptop").get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("row", name="laptop")).to_have_count(0)


def test_pages_of_accounts_are_readable_everywhere(judge: WebJudge, new_learner: Callable[..., Learner]) -> None:
    judge.store.create_account("root", PASSWORD, role="administrator")
    ada = judge.store.create_account("一个名字相当长的学员用来看看排版如何应对", PASSWORD)
    judge.store.submit(learner=ada.learner, problem="double", source=SOURCE.encode())
    judge.finish("AC")
    for scheme, locale in (("light", "en"), ("dark", "zh-CN")):
        page = new_learner(color_scheme=scheme, locale=locale, viewport={"width": 320, "height": 640}).page()
        for path in ("/sign-up", "/sign-in"):
            page.goto(path)
            check(page, path)
        page.locator("#name").fill("root")
        page.locator("#password").fill(PASSWORD)
        page.locator("main .primary").click()
        expect(page.locator(".bar .who")).to_have_text("root")
        for path in ("/account", "/class", f"/class/{ada.id}", "/accounts"):
            page.goto(path)
            check(page, path)


def check(page: Page, path: str) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
    assert page.evaluate(CONTRAST) == [], path
