"""A judge that serves, and learners who submit to it: alone, or many at once."""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from benchmarks.measuring import ENVIRONMENT, PROBLEM, ROOT, submission

START_S = 90.0
OTHER_WORKERS_S = 10.0
"""The judge answers when its first worker is ready; meanwhile the others load."""


@contextmanager
def server(driver: str, port: int, url: str = "") -> Iterator[int]:
    """The process id of a `judge serve` with one worker per core, on the database of `url` or one of its own."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**ENVIRONMENT, "JUDGE_DATA": folder, "JUDGE_SANDBOX": driver, "JUDGE_DATABASE_URL": url}
        environment |= {"JUDGE_SUBMISSIONS_PER_MINUTE": "0", "JUDGE_SUBMISSIONS_PER_HOUR": "0"}
        command = [sys.executable, "-m", "judge", "serve", "--port", str(port)]
        process = subprocess.Popen(
            command, env=environment, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            wait_until_ready(port, START_S)
            time.sleep(OTHER_WORKERS_S)
            yield process.pid
        finally:
            process.terminate()
            process.wait(30)


def wait_until_ready(port: int, seconds: float, between: Callable[[], object] = lambda: None) -> None:
    """Until /readyz says yes; `between` is done before each look."""
    give_up = time.monotonic() + seconds
    while time.monotonic() < give_up:
        between()
        with (
            suppress(OSError, http.client.HTTPException),
            closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as connection,
        ):
            connection.request("GET", "/readyz")
            if connection.getresponse().status == 200:
                return
        time.sleep(0.2)
    raise SystemExit(f"the judge does not come up on port {port}")


class Client:
    """One learner with one connection that is kept. No http.client: it would take a share of what is measured."""

    def __init__(self, port: int) -> None:
        self.connection = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.headers, self.cookie = f"Host: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n", ""
        token = json.loads(self.get("/api/v1/session")[1])["csrf"]
        self.headers += f"X-CSRFToken: {token}\r\nCookie: {self.cookie}\r\n"
        self.source = submission().read_text()

    def _request(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        head = f"{method} {path} HTTP/1.1\r\n{self.headers}Content-Length: {len(body)}\r\n\r\n"
        self.connection.sendall(head.encode() + body)
        data = bytearray()
        while (end := data.find(b"\r\n\r\n")) < 0:
            data += self._received()
        answered = data[:end].decode("latin-1")
        fields = dict(line.split(": ", 1) for line in answered.split("\r\n")[1:])
        self.cookie = fields.get("Set-Cookie", "").split(";")[0]
        while len(data) < end + 4 + int(fields["Content-Length"]):
            data += self._received()
        return int(answered.split(" ", 2)[1]), bytes(data[end + 4 :])

    def _received(self) -> bytes:
        found = self.connection.recv(1 << 16)
        assert found, "the server hung up"
        return found

    def get(self, path: str) -> tuple[int, bytes]:
        return self._request("GET", path)

    def post(self, wait_s: float = 0) -> dict[str, Any]:
        """Submits; the answer says how it is after that time."""
        body = json.dumps({"problem": PROBLEM, "source": self.source}).encode()
        status, answer = self._request("POST", f"/api/v1/submissions?wait={wait_s}", body)
        assert status == 201, (status, answer)
        submission: dict[str, Any] = json.loads(answer)
        return submission

    def submit(self) -> float:
        """Milliseconds from POST to the final verdict, as a page or `judge submit` gets it."""
        start = time.perf_counter()
        found = self.post(wait_s=0.3)
        while found["status"] != "done":
            found = json.loads(self.get(f"/api/v1/submissions/{found['id']}?wait=20")[1])
        assert found["verdict"] == "AC", found["message"]
        return (time.perf_counter() - start) * 1000


@dataclass(frozen=True)
class Level:
    """What so many learners at once saw, in milliseconds."""

    learners: int
    rate: float
    times: list[float]

    def percentile(self, share: float) -> float:
        ordered = sorted(self.times)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def at_once(port: int, learners: int, seconds: float) -> Level:
    """Each learner submits, waits for the verdict, submits again."""
    clients = [Client(port) for _ in range(learners)]
    times: list[float] = []
    failures: list[BaseException] = []
    start = time.perf_counter()

    def work(client: Client) -> None:
        try:
            while time.perf_counter() < start + seconds:
                times.append(client.submit())
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return Level(learners, len(times) / (time.perf_counter() - start), times)
