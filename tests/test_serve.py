"""Rules of `judge serve`: it starts or says why not, restarts what dies, and loses no accepted submission."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from judge.config import Config
from judge.serve import ServeError, listen, who_may_submit
from judge.store import Store
from tests.processes import assert_one_verdict, below, end, environment, lives, running, until, verdict
from tests.records import open_store

RIGHT = "def double(x):\n    return x + x\n"
SLOW = "import time\n\ndef double(x):\n    time.sleep(0.5)\n    return x + x\n"


class Server:
    """`judge serve` as a user starts it."""

    def __init__(self, store: Store, folder: Path, port: int) -> None:
        self.store, self.port = store, port
        self.process = subprocess.Popen(
            [sys.executable, "-m", "judge", "serve", "--port", str(port), "--workers", "1"],
            env=environment(store, folder, JUDGE_LEASE_S="3600"),  # no test waits for a lease to run out
            stdout=subprocess.PIPE,
            text=True,
        )
        self.family: list[psutil.Process] = []

    def ready(self) -> str:
        """What it said until it was ready."""
        assert self.process.stdout is not None
        said = ""
        for line in self.process.stdout:
            said += line
            if "judge is ready" in line:
                self.family = psutil.Process(self.process.pid).children(recursive=True)
                return said
        raise AssertionError(f"ended before it was ready: {said}")

    def submit(self, source: str) -> int:
        """Over HTTP; the server has accepted it when this returns."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        body = json.dumps({"problem": "double", "source": source})
        connection.request("POST", "/api/v1/submissions", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        assert answer.status == 201, answer.read()
        return int(json.loads(answer.read())["id"])

    def only(self, module: str) -> psutil.Process:
        return below(self.process.pid, module)[0]


@contextmanager
def serving(store: Store, folder: Path, port: int) -> Iterator[Server]:
    server = Server(store, folder, port)
    try:
        yield server
    finally:
        for process in server.family:
            if lives(process):
                end(process.pid)
        end(server.process.pid)
        server.process.wait()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path)


@pytest.fixture
def port() -> int:
    return free_port()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, []),
        ({"host": "::1"}, []),
        ({"host": "0.0.0.0"}, ["sign-in is required", "no administrator", "unencrypted"]),
        ({"host": "0.0.0.0", "sign_in": "optional"}, ["everyone who connects", "unencrypted"]),
        ({"trust_proxy": 1}, ["sign-in is required", "no administrator"]),
        ({"sign_in": "required"}, ["sign-in is required", "no administrator"]),
    ],
)
def test_who_may_submit_is_said(store: Store, settings: dict[str, Any], words: list[str]) -> None:
    said = list(who_may_submit(Config(**settings), store))
    assert len(said) == len(words)
    assert all(word in line for word, line in zip(words, said, strict=True))


def test_an_administrator_is_asked_for_only_where_there_is_none(store: Store) -> None:
    store.create_account("root", "correct horse", role="administrator")
    assert not any("no administrator" in line for line in who_may_submit(Config(host="0.0.0.0"), store))


def test_port_in_use_is_said() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(ServeError, match="in use"):
            listen("127.0.0.1", other.getsockname()[1])


def test_address_of_another_machine_is_refused() -> None:
    with pytest.raises(ServeError, match="cannot listen"):
        listen("192.0.2.1", 8000)


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"JUDGE_SANDBOX": "glass"}, "glass"),
        ({"JUDGE_PROBLEMS": "/nowhere"}, "/nowhere"),
        ({"JUDGE_DATA": "/dev/null/data"}, "data folder"),
        ({"JUDGE_DATABASE_URL": "sqlite:////dev/null/judge.db"}, "database"),
    ],
)
def test_what_keeps_it_from_starting_is_said_in_a_line(
    store: Store, tmp_path: Path, port: int, settings: dict[str, str], word: str
) -> None:
    command = [sys.executable, "-m", "judge", "serve", "--port", str(port)]
    done = subprocess.run(command, env=environment(store, tmp_path, **settings), capture_output=True, text=True)
    assert done.returncode == 2
    assert word in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_parent_and_web_server_are_light() -> None:
    code = "import judge.serve, web.__main__, sys; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_ready_server_judges_and_stops_cleanly(store: Store, tmp_path: Path, port: int) -> None:
    with serving(store, tmp_path, port) as server:
        said = server.ready()
        assert "sandbox: local" in said
        assert said.endswith(f"judge is ready on http://127.0.0.1:{port}\n")
        number = server.submit(SLOW)
        running(store, number)
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(30) == 0
        assert verdict(store, number).verdict == "AC"
        assert not any(map(lives, server.family))


def test_dead_children_are_replaced(store: Store, tmp_path: Path, port: int) -> None:
    with serving(store, tmp_path, port) as server:
        server.ready()
        numbers = [server.submit(SLOW), server.submit(RIGHT)]
        running(store, numbers[0])
        dead = [server.only("judge.worker"), server.only("web")]
        for process in dead:
            process.kill()
        assert [verdict(store, number).verdict for number in numbers] == ["AC", "AC"]
        until(lambda: _accepts(port), "the new web server")
        assert verdict(store, server.submit(RIGHT)).verdict == "AC"
        assert_one_verdict(store)


def test_killed_server_loses_nothing(store: Store, tmp_path: Path, port: int) -> None:
    with serving(store, tmp_path, port) as server:
        server.ready()
        numbers = [server.submit(source) for source in (SLOW, RIGHT, RIGHT)]
        running(store, numbers[0])
        for module in ("judge.worker", "web"):
            server.only(module).suspend()  # they must not finish the work while the server dies
        server.process.kill()
        for process in server.family:
            if lives(process):
                process.kill()
        with serving(store, tmp_path, port) as again:
            again.ready()
            assert [verdict(store, number).verdict for number in numbers] == ["AC"] * 3
            assert_one_verdict(store)


def test_children_of_a_killed_server_end(store: Store, tmp_path: Path, port: int) -> None:
    with serving(store, tmp_path, port) as server:
        server.ready()
        number = server.submit(SLOW)
        running(store, number)
        server.process.kill()
        until(lambda: not any(map(lives, server.family)), "the end of all children")
        assert verdict(store, number).verdict == "AC"


def test_two_servers_share_a_database_but_no_port(store: Store, tmp_path: Path) -> None:
    ports = free_port(), free_port()
    with serving(store, tmp_path, ports[0]) as first:
        first.ready()
        with serving(store, tmp_path, ports[0]) as refused:
            assert refused.process.wait(60) == 2
        with serving(store, tmp_path, ports[1]) as second:
            second.ready()
            numbers = [server.submit(SLOW) for server in (first, second, first)]
            assert [verdict(store, number).verdict for number in numbers] == ["AC"] * 3
            assert_one_verdict(store)


def _accepts(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True
