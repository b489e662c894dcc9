"""`judge submit` against a real `judge serve`."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_judge import OPEN_BRACKET, RIGHT, SLUG, WRONG, Here, make


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    return make(tmp_path, monkeypatch, capsys)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("served")
    (folder / "problems").mkdir()
    clean = {name: value for name, value in os.environ.items() if not name.startswith("JUDGE_")}
    environment = clean | {"JUDGE_DATA": str(folder / "data"), "OMP_NUM_THREADS": "1"}
    judge = [sys.executable, "-m", "judge"]
    subprocess.run([*judge, "new", SLUG], cwd=folder, env=environment, check=True, capture_output=True)
    address = f"http://127.0.0.1:{free_port()}"
    command = [*judge, "serve", "--port", address.rpartition(":")[2], "--workers", "1"]
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert any("ready on" in line for line in process.stdout)
        yield address
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0


def test_verdict_is_printed_as_run_prints_it(here: Here, server: str) -> None:
    said = here("submit", SLUG, here.write("mine.py", WRONG), "--server", server)
    assert said.code == 1
    assert said.out.startswith("✗ Wrong answer")
    assert "Known mistake: Your result equals the mean of the tokens" in said.out
    assert "✗ Wrong answer · 0 of 3 cases passed" in said.out
    assert said.err == ""


def test_exit_code_follows_the_verdict(here: Here, server: str) -> None:
    assert here("submit", SLUG, here.write("mine.py", RIGHT), "--server", server).code == 0
    said = here("submit", SLUG, here.write("mine.py", OPEN_BRACKET), "--server", server + "/", "--json")
    assert said.code == 1
    assert said.json["verdict"] == "CE"


def test_answer_is_in_the_language_asked_for(here: Here, server: str) -> None:
    said = here("submit", SLUG, here.write("mine.py", WRONG), "--server", server, "--lang", "zh")
    assert "常见错误：你的结果等于词元的平均值" in said.out


def test_refusal_of_the_server_is_passed_on(here: Here, server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = here.write("mine.py", RIGHT)
    assert "scaled-son" in here("submit", "scaled-son", path, "--server", server).err
    too_long = here("submit", SLUG, here.write("long.py", b"#" * 65537), "--server", server)
    assert (too_long.code, "65536" in too_long.err) == (2, True)
    monkeypatch.setenv("JUDGE_TOKEN", "no token of yours")
    unknown = here("submit", SLUG, path, "--server", server)
    assert unknown.code == 2
    assert "JUDGE_TOKEN" in unknown.err


def test_source_that_is_not_utf8_is_not_sent(here: Here) -> None:
    said = here(
        "submit", SLUG, here.write("mine.py", b"# coding: gbk\nx = '\xc4\xe3'\n"), "--server", "http://localhost:9"
    )
    assert said.code == 2
    assert "mine.py is not UTF-8 (byte 19)" in said.err


def test_server_that_is_not_there_is_said(here: Here) -> None:
    said = here("submit", SLUG, here.write("mine.py", RIGHT), "--server", f"http://127.0.0.1:{free_port()}")
    assert said.code == 3
    assert "Connection refused" in said.err
    assert "judge serve" in said.err


def test_answer_that_is_not_from_a_judge_is_said(here: Here) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=_answer_once, args=(listener,))
        thread.start()
        port = listener.getsockname()[1]
        said = here("submit", SLUG, here.write("mine.py", RIGHT), "--server", f"http://127.0.0.1:{port}")
        thread.join()
    assert said.code == 3
    assert "not from a judge" in said.err


def _answer_once(listener: socket.socket) -> None:
    connection, _ = listener.accept()
    with connection:
        connection.recv(1 << 16)
        connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Hello</p>")
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(1 << 16):  # closing with the request unread would reset the connection
            pass
