"""Answers to the questions of quizzes: every one is kept, in the order in which they were given.

answer ─▶ right: the question is settled      shown ─▶ settled too: done with help, never right
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, insert, select

from judge.store.engine import Database, storable
from judge.store.tables import answer
from judge.store.values import Answered


class AnswerRecords(Database):
    """The quizzes' part of `Store`."""

    def answers(self, learner: str) -> dict[str, dict[str, Answered]]:
        """By quiz, then by question, for the questions that were answered."""
        with self.read() as connection:
            return _answers(connection, learner)

    def answers_of(self, learners: Sequence[str]) -> dict[str, dict[str, dict[str, Answered]]]:
        """The same for several learners: by learner, then by quiz and question."""
        columns = answer.c.quiz, answer.c.question, answer.c.text, answer.c.correct, answer.c.answered_at
        query = select(answer.c.learner, *columns).where(answer.c.learner.in_(learners)).order_by(answer.c.id)
        rows: dict[str, list[tuple[str, str, str | None, bool, float]]] = {}
        with self.read() as connection:
            for learner, *row in connection.execute(query):
                rows.setdefault(learner, []).append((row[0], row[1], row[2], row[3], row[4]))
        return {learner: _folded(own) for learner, own in rows.items()}

    def keep_answer(self, learner: str, quiz: str, question: str, text: str | None, correct: bool) -> Answered:
        """Keeps an answer, or that the right one was shown (None), unless the question is settled; how it stands."""
        with self.write() as connection:
            known = _answers(connection, learner, quiz).get(quiz, {}).get(question)
            if known and known.settled:
                return known
            kept = None if text is None else storable(text)
            row = {"learner": learner, "quiz": quiz, "question": question, "text": kept, "correct": correct}
            connection.execute(insert(answer), row | {"answered_at": time.time()})
            return _answers(connection, learner, quiz)[quiz][question]


def _answers(connection: Connection, learner: str, quiz: str | None = None) -> dict[str, dict[str, Answered]]:
    columns = answer.c.quiz, answer.c.question, answer.c.text, answer.c.correct, answer.c.answered_at
    query = select(*columns).where(answer.c.learner == learner).order_by(answer.c.id)
    if quiz is not None:
        query = query.where(answer.c.quiz == quiz)
    return _folded(tuple(row) for row in connection.execute(query))


def _folded(rows: Iterable[tuple[str, str, str | None, bool, float]]) -> dict[str, dict[str, Answered]]:
    """Rows from before a sign-in may have settled what others settled too: the first counts."""
    found: dict[str, dict[str, Answered]] = {}
    for quiz, question, text, correct, at in rows:
        known = found.setdefault(quiz, {}).get(question)
        if known is None or not known.settled:
            tries = (known.tries if known else 0) + (text is not None)
            found[quiz][question] = Answered(text, correct, tries, at)
    return found
