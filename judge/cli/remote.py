"""A judge server over HTTP: hands in one file and follows it until there is a verdict.

The first answer's cookie is kept for the questions that follow: without a token it says who handed in. The same
`client_id` goes with every try of one submission, so that a lost answer makes no second one.
"""

from __future__ import annotations

import http.client
import http.cookiejar
import json
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from judge.cli.errors import JUDGE_ERROR, USAGE, Refusal
from judge.cli.words import say

WAIT_S = 5
FIRST_WAIT_S = 0.3
"""Until the place in the queue is shown; most verdicts come before."""
TIMEOUT_S = 30
TRIES = 5
PAUSE_S = 0.5
DIAGNOSIS_S = 5.0
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Unreachable(Exception):
    """No answer came; the same question may be asked again."""


class Server:
    """`address` such as http://127.0.0.1:8000. Raises Refusal for one that cannot be meant."""

    def __init__(self, address: str, token: str, lang: str) -> None:
        self.address, self.lang = address.rstrip("/"), lang
        try:
            parts = urlsplit(self.address)
            usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            usable = False
        if not usable or not self.address.isascii() or any(c.isspace() for c in self.address):
            raise Refusal("bad_server", server=address)
        self.headers = {"Accept": "application/json", "Accept-Language": lang, "User-Agent": "attention-judge"}
        if token:
            self.headers["Authorization"] = f"Bearer {token}"
        handlers: list[Any] = [urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())]
        if parts.hostname in LOOPBACK:
            handlers.append(urllib.request.ProxyHandler({}))
        self.opener = urllib.request.build_opener(*handlers)

    def submit(self, problem: str, source: str) -> dict[str, Any]:
        body = {"problem": problem, "source": source, "client_id": uuid.uuid4().hex}
        return self._patiently(f"/api/v1/submissions?wait={FIRST_WAIT_S}", body)

    def follow(self, submission: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """The submission as it goes on; the last one is final."""
        path = f"/api/v1/submissions/{submission['id']}"
        while submission["status"] not in ("done", "cancelled"):
            submission = self._patiently(f"{path}?wait={WAIT_S}")
            yield submission
        give_up = time.monotonic() + DIAGNOSIS_S
        while submission.get("diagnosing") and time.monotonic() < give_up:
            time.sleep(PAUSE_S / 5)
            submission = self._patiently(path)
        yield submission

    def _patiently(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Asks again after a lost connection or a server that is just starting."""
        for left in reversed(range(TRIES)):
            try:
                return self._ask(path, body)
            except Unreachable as error:
                if not left or (body and isinstance(error.__cause__, ConnectionRefusedError)):
                    raise Refusal("no_server", code=JUDGE_ERROR, server=self.address, reason=error) from None
                time.sleep(PAUSE_S)
        raise AssertionError

    def _ask(self, path: str, body: dict[str, Any] | None) -> dict[str, Any]:
        data = None if body is None else json.dumps(body).encode()
        headers = self.headers | ({"Content-Type": "application/json"} if data else {})
        request = urllib.request.Request(self.address + path, data, headers)
        try:
            with self.opener.open(request, timeout=TIMEOUT_S) as response:
                found = json.load(response)
        except urllib.error.HTTPError as error:
            raise self._refused(error) from None
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", error)
            cause = reason if isinstance(reason, Exception) else error
            raise Unreachable(getattr(reason, "strerror", None) or str(reason) or type(error).__name__) from cause
        except ValueError:
            raise Refusal("server_odd", code=JUDGE_ERROR, server=self.address) from None
        if not isinstance(found, dict) or not {"id", "status", "cases"} <= set(found):
            raise Refusal("server_odd", code=JUDGE_ERROR, server=self.address)
        return found

    def _refused(self, error: urllib.error.HTTPError) -> Exception:
        if error.code in (502, 503, 504):
            return Unreachable(f"HTTP {error.code}")
        try:
            reason = json.load(error)["detail"]
        except (ValueError, KeyError, TypeError, OSError):
            reason = error.reason
        advice = say("token_advice") if error.code in (401, 403) else ""
        code = USAGE if error.code < 500 else JUDGE_ERROR
        return Refusal("server_refused", advice, code, server=self.address, status=error.code, reason=reason)
