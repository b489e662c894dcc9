"""A judge that serves, and learners who submit to it: alone, or many at once."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass

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
    """One learner with one connection that is kept."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.headers: dict[str, str] = {}
        self.headers = {
            "X-CSRFToken": json.loads(self.get("/api/v1/session")[1])["csrf"],
            "Cookie": self.cookie,
        }
        self.source = submission().read_text()

    def _request(self, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
        self.connection.request(method, path, body, {"Content-Type": "application/json", **self.headers})
        response = self.connection.getresponse()
        self.cookie = (response.headers.get("Set-Cookie") or "").split(";")[0]
        return response.status, response.read()

    def get(self, path: str) -> tuple[int, bytes]:
        return self._request("GET", path)

    def post(self) -> int:
        """Submits, and leaves it there; the number of the submission."""
        body = json.dumps({"problem": PROBLEM, "source": self.source}).encode()
        status, answer = self._request("POST", "/api/v1/submissions", body)
        assert status == 201, (status, answer)
        return int(json.loads(answer)["id"])

    def submit(self) -> float:
        """Milliseconds from POST to the final verdict, by long poll."""
        start = time.perf_counter()
        number = self.post()
        while True:
            _, answer = self.get(f"/api/v1/submissions/{number}?wait=20")
            result = json.loads(answer)
            if result["status"] == "done":
                assert result["verdict"] == "AC", result["message"]
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
