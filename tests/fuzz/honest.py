"""The first inputs of the corpus: answers of real submissions, as the local driver's child gave them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from answers import REQUESTS, pack

from judge.compare import CheckFailed
from judge.remote.connection import Connection, SubmissionFailed
from sandbox import Limits, SessionEnded, open_sandbox

NAMES = ({"attention": "function", "rope": "function"}, *({"attention": "function"},) * 3, {"Attention": "class"})
FOLDER = Path(__file__).resolve().parent / "honest"


class Recorded:
    """A session, and the answers that came over it."""

    def __init__(self, session: Any) -> None:
        self.session, self.limits = session, session.limits
        self.answers: list[tuple[bytes, bytes]] = []

    def exchange(self, data: bytes, seconds: float) -> tuple[bytes, bytearray, float]:
        header, body, took = self.session.exchange(data, seconds)
        self.answers.append((header, bytes(body)))
        return header, body, took

    def garbled(self) -> Any:
        return self.session.garbled()


def write(folder: Path) -> None:
    """For each request one input per source below `honest/`."""
    sandbox = open_sandbox("local")
    for source in sorted(FOLDER.glob("*.py")):
        for number, request in enumerate(REQUESTS):
            session = Recorded(sandbox.open(Limits(time_s=20.0)))
            connection = Connection(session)
            loaded = False
            try:
                connection.load(source.read_bytes(), NAMES[number], [], 20.0)
                loaded = True
                if number:
                    session.answers.clear()
                    request(connection)
            except (CheckFailed, SubmissionFailed, SessionEnded):
                pass
            if loaded or not number:
                (folder / f"{source.stem}-{number}").write_bytes(pack(number, session.answers))
            session.session.close()
    sandbox.close()
