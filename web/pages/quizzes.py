"""A quiz: a form for each question. Without script an answer leads back to its question; with it, it is fetched."""

from __future__ import annotations

import re

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import escape

from judge.messages import describe
from judge.model import Finding
from web import answering, curriculum, identity, language, parts, statement
from web.errors import Refused

ONE_PARAGRAPH = re.compile(r"<p>((?:(?!<p>).)*)</p>\s*", re.DOTALL)
blueprint = Blueprint("quizzes", __name__)


@blueprint.get("/quizzes/<slug>")
def one(slug: str) -> str:
    quiz, lang = parts.bank().quiz(slug), language.current()
    known = parts.store().answers(identity.learner()).get(slug, {})
    problems, _ = parts.bank().all()
    return render_template(
        "quiz.html",
        quiz=quiz,
        summary=answering.summary(quiz, known, lang),
        standings=answering.standings(quiz),
        problems=[p for p in curriculum.in_order(problems) if p.stage == quiz.stage],
        states=parts.store().solved(identity.learner()),
        render=statement.render,
        inline=inline,
        told=told,
    )


@blueprint.post("/quizzes/<slug>")
def answer(slug: str) -> ResponseReturnValue:
    question = request.form.get("question", "")
    text = None if "reveal" in request.form else " ".join(request.form.getlist("answer"))
    if text is not None and any("\ud800" <= character <= "\udfff" for character in text):
        raise Refused(422, "surrogate", line=1)
    standing = answering.answer(slug, question, text)
    lang = request.args.get("lang")
    return redirect(url_for("quizzes.one", slug=slug, lang=lang, _anchor=f"q-{standing.question.id}"), 303)


def inline(markdown: str) -> str:
    """Safe HTML without the paragraph around it: for a label."""
    html = statement.render(markdown)
    alone = ONE_PARAGRAPH.fullmatch(html)
    return alone[1] if alone else html


def told(finding: Finding | None) -> str:
    """The author's sentences may hold maths; ours may quote the learner, whose text is no Markdown."""
    sentence = describe(finding, language.current())
    return inline(sentence) if finding and finding["code"] == "text" else str(escape(sentence))
