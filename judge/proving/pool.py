"""Processes that do the jobs of `verify`, one at a time each, in as many as are worth their start.

A process that a test ends (`os._exit`, a crash) costs the other jobs of that problem, and is replaced for the rest.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess

from judge.proving.jobs import Job, Outcome, work


def perform(jobs: Sequence[Job], sandbox: str, processes: int) -> Iterator[tuple[int, Outcome]]:
    """Does the jobs in at most so many processes; yields the number and the outcome of each as soon as it is done."""
    waiting = list(range(len(jobs)))
    crews: list[_Crew] = []
    pace = _Pace()
    try:
        while waiting or any(crew.busy for crew in crews):
            if waiting and len(crews) < processes and (not crews or pace.wants_another(len(waiting), len(crews))):
                place = next(n for n in range(processes) if n not in [crew.place for crew in crews])
                crews.append(_Crew(sandbox, place))
            for crew in crews:
                if waiting and crew.job is None:
                    number = _next(waiting, jobs, crew, crews)
                    waiting.remove(number)
                    crew.start(number, jobs)
            for crew in _ready(crews):
                number, outcome = crew.receive()
                if outcome is None:
                    continue
                pace.done += 1
                yield number, outcome
                if not crew.alive:
                    crews.remove(crew)
                    lost = [n for n in waiting if jobs[n].slug == jobs[number].slug]
                    waiting = [n for n in waiting if n not in lost]
                    for n in lost:
                        yield n, Outcome()
    finally:
        for crew in crews:
            crew.end()


def _next(waiting: list[int], jobs: Sequence[Job], crew: _Crew, crews: list[_Crew]) -> int:
    """A process stays with its problem, since it remembers answers of its mistakes; then one that no other is at."""
    others = {one.slug for one in crews if one is not crew}
    own = (number for number in waiting if jobs[number].slug == crew.slug)
    new = (number for number in waiting if jobs[number].slug not in others)
    return next(own, next(new, waiting[0]))


START_S = 4.0
"""Seconds of two cores that it takes to start a process: torch is imported by it and by its sandbox."""


class _Pace:
    """Whether another process would be of use by the time it is there."""

    def __init__(self) -> None:
        self.start = 0.0
        self.done = 0

    def wants_another(self, waiting: int, crews: int) -> bool:
        now = time.monotonic()
        if not self.done:
            self.start = now
            return False
        return waiting * (now - self.start) / self.done > START_S * crews


class _Crew:
    """One process, the job it is at and the problem of the newest."""

    def __init__(self, sandbox: str, place: int) -> None:
        self.place = place
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process: BaseProcess = context.Process(target=work, args=(theirs, sandbox, place), daemon=False)
        self.process.start()
        theirs.close()
        self.job: int | None = None
        self.case = self.slug = ""
        self.alive, self.came_up = True, False

    @property
    def busy(self) -> bool:
        return self.job is not None

    def start(self, number: int, jobs: Sequence[Job]) -> None:
        self.job, self.case, self.slug = number, "", jobs[number].slug
        with contextlib.suppress(OSError):  # that it is gone shows when its answer is read
            self.connection.send(jobs[number])

    def receive(self) -> tuple[int, Outcome | None]:
        """The job's number, and its outcome when it is done."""
        number = self.job
        assert number is not None
        try:
            message = self.connection.recv()
        except (EOFError, OSError):
            self.alive, self.job = False, None
            self.process.join(5)
            return number, Outcome(error=self._last_words())
        if isinstance(message, str):
            self.came_up, self.case = True, message
            return number, None
        self.job = None
        assert isinstance(message, Outcome)
        return number, message

    def _last_words(self) -> str:
        status = f"exit code {self.process.exitcode}"
        if not self.came_up:
            return f"a grading process did not come up ({status}), see above"
        where = f"after `{self.case}`" if self.case else "before the first case was done"
        return f"tests.py: ends the judge's own process {where} ({status}); tests and reference run in it"

    def end(self) -> None:
        self.connection.close()
        if self.busy:
            self.process.terminate()
        self.process.join(10)


def _ready(crews: list[_Crew]) -> list[_Crew]:
    ready = wait([crew.connection for crew in crews if crew.busy])
    return [crew for crew in crews if crew.connection in ready]
