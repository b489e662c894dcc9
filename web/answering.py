"""Quizzes as one learner sees them. Nothing of a right answer or an explanation is in here before it is due.

a question is   new ─▶ wrong ─▶ right         explained once right
                 └──────┴─▶ shown             the answer was asked for: explained; done with help, never right

a quiz is   new ─▶ tried ─┬▶ solved           all right
                          └▶ finished         all right or done with help
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from judge.messages import describe
from judge.model import Finding, Lang
from judge.quiz import MAX_ANSWER, Option, Question, Quiz, grade, in_words, shuffled
from judge.store import Answered
from web import identity, limits, parts
from web.errors import Refused

SOLVED, FINISHED = "solved", "finished"


@dataclass(frozen=True)
class Standing:
    """One question. `number` counts from 1; `finding` is what there is to say to the newest answer."""

    number: int
    question: Question
    options: list[Option]
    state: str
    answered: Answered | None
    finding: Finding | None

    @property
    def settled(self) -> bool:
        return self.state in ("right", "shown")

    @property
    def chosen(self) -> list[str]:
        """Ids of the options of the newest answer."""
        return (self.answered.text or "").split() if self.answered else []

    def right(self, option: Option) -> bool:
        return self.settled and option.right

    def solution(self, lang: Lang) -> list[str]:
        """The right answer and its explanation as Markdown; empty before they are due."""
        if not self.settled:
            return []
        answer = [] if self.question.kind == "choice" else in_words(self.question, lang)
        return [*answer, self.question.explanation[lang]]


def standings(quiz: Quiz) -> list[Standing]:
    """Of the learner who asks, in the order of the quiz."""
    learner = identity.learner()
    known = parts.store().answers(learner).get(quiz.slug, {})
    return [_standing(q, n, known.get(q.id), learner) for n, q in enumerate(quiz.questions, start=1)]


def answer(slug: str, question_id: str, text: str | None) -> Standing:
    """Grades and keeps an answer of the learner who asks; None asks to be shown the right one. Raises Refused."""
    quiz = parts.bank().quiz(slug)
    question = quiz.question(question_id)
    if question is None:
        raise Refused(404, "unknown_question")
    if text is not None and len(text) > MAX_ANSWER:
        raise Refused(422, "answer_long", limit=MAX_ANSWER)
    limits.spend(limits.answers(), "too_many_answers")
    correct = text is not None and grade(question, text).correct
    kept = parts.store().keep_answer(identity.learner(), slug, question_id, text, correct)
    return _standing(question, quiz.questions.index(question) + 1, kept, identity.learner())


def summaries(lang: Lang) -> list[dict[str, Any]]:
    """Each quiz with how far the learner who asks is: `state` is new, tried, finished or solved."""
    answers = parts.store().answers(identity.learner())
    return [summary(quiz, answers.get(quiz.slug, {}), lang) for quiz in parts.bank().quizzes()[0]]


def summary(quiz: Quiz, answers: Mapping[str, Answered], lang: Lang) -> dict[str, Any]:
    known = [answers[q.id] for q in quiz.questions if q.id in answers]
    right = sum(answered.correct for answered in known)
    shown = sum(answered.revealed for answered in known)
    done = FINISHED if right + shown == len(quiz.questions) else "tried" if known else "new"
    return {
        "slug": quiz.slug,
        "title": quiz.title[lang],
        "stage": quiz.stage,
        "questions": len(quiz.questions),
        "right": right,
        "shown": shown,
        "done": right + shown,
        "state": SOLVED if right == len(quiz.questions) else done,
    }


def standing_json(standing: Standing, lang: Lang) -> dict[str, Any]:
    """What the API tells of a question; `explanation` and `right` only once they are due."""
    question, answered = standing.question, standing.answered
    body: dict[str, Any] = {
        "question": question.id,
        "kind": question.kind,
        "prompt": question.prompt[lang],
        "state": standing.state,
        "answer": answered.text if answered else None,
        "correct": standing.state == "right",
        "message": describe(standing.finding, lang),
    }
    if question.kind == "choice":
        body["options"] = [{"id": option.id, "text": option.text[lang]} for option in standing.options]
        body["several"] = question.several
    if question.kind == "formula":
        body["names"] = list(question.names)
    if question.unit:
        body["unit"] = question.unit[lang]
    if standing.settled:
        body["right"] = in_words(question, lang)
        body["explanation"] = question.explanation[lang]
    return body


def _standing(question: Question, number: int, answered: Answered | None, learner: str) -> Standing:
    options = shuffled(question, learner)
    if answered is None:
        return Standing(number, question, options, "new", None, None)
    if answered.text is None:
        return Standing(number, question, options, "shown", answered, {"code": "answer_shown"})
    if answered.correct:  # also where the question was changed since
        return Standing(number, question, options, "right", answered, {"code": "answer_right"})
    found = grade(question, answered.text)
    finding = {"code": "answer_wrong"} if found.correct else found.finding
    return Standing(number, question, options, "wrong", answered, finding)
