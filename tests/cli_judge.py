"""Running `judge` in tests: in this process where nothing is graded, else as the command it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from judge.cli import language, run

SLUG = "scaled-sum"
RIGHT = b"def scaled_sum(x, scale):\n    return x.sum(dim=0) * scale\n"
WRONG = b"def scaled_sum(x, scale):\n    return x.mean(dim=0) * scale\n"
OPEN_BRACKET = b"def scaled_sum(x, scale:\n    return x\n"


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Here:
    """`judge ARGUMENTS` in a folder of its own, with a bank of one problem made by `judge new`."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.capsys = folder, capsys
        (folder / "problems").mkdir()
        assert self("new", SLUG).code == 0

    def __call__(self, *arguments: str) -> Said:
        self.capsys.readouterr()
        token = language.spoken.set("en")
        try:
            code = run(arguments)
        finally:
            language.spoken.reset(token)
        return Said(code, *self.capsys.readouterr())

    def write(self, name: str, source: bytes) -> str:
        (self.folder / name).write_bytes(source)
        return name

    def process(self, *arguments: str, **environment: str) -> Said:
        """The same in a process of its own."""
        done = subprocess.run(
            [sys.executable, "-m", "judge", *arguments], cwd=self.folder, env=os.environ | environment,
            capture_output=True, timeout=100,
        )  # fmt: skip
        return Said(done.returncode, done.stdout.decode(), done.stderr.decode())

    def probe(self, *arguments: str) -> Said:
        """The same through `cli_probe.py`, which tells what was imported."""
        command = [sys.executable, str(Path(__file__).parent / "cli_probe.py"), *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, timeout=100)
        return Said(done.returncode, done.stdout.decode(), done.stderr.decode())


def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    for name in [name for name in os.environ if name.startswith(("JUDGE_", "LC_", "NO_COLOR", "FORCE_COLOR"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("JUDGE_SANDBOX", "local")
    monkeypatch.setenv("JUDGE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.chdir(tmp_path)
    return Here(tmp_path, capsys)
