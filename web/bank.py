"""The problems as the web reads them: seen again at most a second after a file changed, new folders at once.

A request that only needs to know a problem does not look at all its files again.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from judge.loader import ProblemError, load_problem, slugs
from judge.model import Problem
from judge.quiz import Quiz, load_quiz, load_quizzes

FRESH_S = 1.0


class Bank:
    """The problem folders below `folder`. Safe to use from several threads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._seen: dict[str, tuple[float, Problem]] = {}

    def problem(self, slug: str) -> Problem:
        """Raises judge.loader's UnknownProblem and ProblemError."""
        seen = self._seen.get(slug)
        if seen and time.monotonic() - seen[0] < FRESH_S:
            return seen[1]
        self._seen.pop(slug, None)
        problem = load_problem(self.folder, slug)
        self._seen[slug] = (time.monotonic(), problem)
        return problem

    def all(self) -> tuple[list[Problem], list[ProblemError]]:
        """In their order, and the faults of folders that do not load."""
        problems, faults = [], []
        for slug in slugs(self.folder):
            try:
                problems.append(self.problem(slug))
            except ProblemError as fault:
                faults.append(fault)
        return sorted(problems, key=lambda p: (p.order, p.slug)), faults

    def quiz(self, slug: str) -> Quiz:
        """Raises judge.loader's UnknownProblem and ProblemError."""
        return load_quiz(self.folder, slug)

    def quizzes(self) -> tuple[list[Quiz], list[ProblemError]]:
        """By stage, and the faults of folders that do not load."""
        return load_quizzes(self.folder)

    def neighbours(self, slug: str) -> tuple[Problem | None, Problem | None]:
        """The problems before and after this one in the order of the list."""
        problems, _ = self.all()
        at = next((i for i, p in enumerate(problems) if p.slug == slug), None)
        if at is None:
            return None, None
        return (problems[at - 1] if at else None), (problems[at + 1] if at + 1 < len(problems) else None)

    def __iter__(self) -> Iterator[Problem]:
        return iter(self.all()[0])
