"""What the browser tests do with a page: open it, write into the editor, read it; and what must never happen on one."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from playwright.sync_api import BrowserContext, Page, expect
from web_judge import WebJudge
from werkzeug.serving import make_server

EDITOR = ".cm-content"
REPORT_BREACHES = """addEventListener('securitypolicyviolation',
    (e) => console.error('CSP', e.violatedDirective, e.blockedURI, e.sourceFile, e.lineNumber))"""


@dataclass
class Learner:
    """A browser context: one learner. `problems` collects what must not happen."""

    context: BrowserContext
    base: str
    problems: list[str] = field(default_factory=list)

    def page(self) -> Page:
        page = self.context.new_page()
        page.set_default_timeout(8000)
        page.set_default_navigation_timeout(30_000)
        page.on("pageerror", lambda error: self.problems.append(f"script error: {error}"))
        page.on("console", lambda m: self.problems.append(m.text) if m.text.startswith("CSP") else None)
        page.on(
            "request",
            lambda r: self.problems.append(f"asks {r.url}") if not r.url.startswith((self.base, "data:")) else None,
        )
        return page


@contextmanager
def serving(judge: WebJudge) -> Iterator[None]:
    """The judge's web server, until the block ends."""
    server = make_server("127.0.0.1", judge.port, judge.app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield
    judge.app.extensions["feed"].close()
    server.shutdown()
    server.server_close()
    thread.join()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def open_problem(page: Page, query: str = "", view: str | None = None) -> Page:
    """`view`: the tab to choose on a narrow screen."""
    page.goto(f"/problems/double{query}")
    if view:
        page.locator(f"#view-{view}").click()
    expect(page.locator("#editor textarea.plain" if "plain" in query else EDITOR)).to_be_visible()
    return page


def write(page: Page, text: str) -> None:
    """Replaces the editor's text, as a paste does."""
    page.locator(EDITOR).click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def text(page: Page) -> str:
    """The document, read from its lines (an empty line shows as a line break)."""
    lines = page.evaluate("[...document.querySelectorAll('.cm-line')].map((line) => line.textContent)")
    return "\n".join(lines)


def submit(page: Page, chord: str = "Control+Shift+Enter") -> None:
    """By its keys, until the server has it."""
    with page.expect_response(lambda r: r.request.method == "POST" and r.ok):
        page.keyboard.press(chord)


def saved(page: Page) -> None:
    expect(page.locator("#saved[data-state=saved]")).to_be_visible()
