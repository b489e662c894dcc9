"""Quizzes. Answers and explanations are told only after a right answer, or when the learner asks to be shown them.

GET   /api/v1/quizzes                  all, with how far the learner is
GET   /api/v1/quizzes/{slug}           the questions
POST  /api/v1/quizzes/{slug}/answers   {"question", "answer"}; for a choice the ids of options with spaces between them
                                       {"question", "reveal": true} shows the answer: the question is then never right
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint

from web import answering, body, identity, language, parts

blueprint = Blueprint("api_quizzes", __name__, url_prefix="/api/v1/quizzes")


@blueprint.get("")
def index() -> dict[str, Any]:
    return {"quizzes": answering.summaries(language.current())}


@blueprint.get("/<slug>")
def one(slug: str) -> dict[str, Any]:
    quiz, lang = parts.bank().quiz(slug), language.current()
    known = parts.store().answers(identity.learner()).get(slug, {})
    questions = [answering.standing_json(standing, lang) for standing in answering.standings(quiz)]
    return answering.summary(quiz, known, lang) | {"questions": questions}


@blueprint.post("/<slug>/answers")
def answer(slug: str) -> dict[str, Any]:
    fields = body.read(question=str, answer=str, reveal=bool)
    question = body.required(fields, "question")
    text = None if fields["reveal"] else body.required(fields, "answer")
    return answering.standing_json(answering.answer(slug, question, text), language.current())
