"""The class, for instructors: what each has solved, how far the quizzes are, and submissions to read.

A class is all learners.
"""

from __future__ import annotations

from flask import Blueprint, render_template, request

from judge.messages import VERDICT_WORDS
from judge.store import Account
from web import access, answering, language, parts, present
from web.errors import Refused

SHOWN = 100
blueprint = Blueprint("classroom", __name__, url_prefix="/class")


@blueprint.get("")
@access.needs("instructor")
def index() -> str:
    learners = parts.store().accounts("learner")
    problems, _ = parts.bank().all()
    quizzes, _ = parts.bank().quizzes()
    ids = [account.learner for account in learners]
    answers = parts.store().answers_of(ids)
    lang = language.current()
    return render_template(
        "class.html",
        learners=learners,
        problems=problems,
        progress=parts.store().progress_of(ids),
        quizzes=quizzes,
        answered={
            learner: {quiz.slug: answering.summary(quiz, known.get(quiz.slug, {}), lang) for quiz in quizzes}
            for learner, known in answers.items()
        },
    )


@blueprint.get("/<int:account_id>")
@access.needs("instructor")
def learner(account_id: int) -> str:
    account = _learner(account_id)
    before = min(request.args.get("before", type=int) or 2**63, 2**63 - 1)
    views = parts.store().submissions(account.learner, limit=SHOWN + 1, before=before)
    return render_template(
        "class_learner.html",
        account=account,
        rows=[present.summary_json(view) for view in views[:SHOWN]],
        titles={problem.slug: problem.title for problem in parts.bank()},
        older=views[SHOWN - 1].submission.id if len(views) > SHOWN else None,
        verdicts=VERDICT_WORDS,
    )


def _learner(account_id: int) -> Account:
    account = parts.store().account(account_id) if account_id < 2**63 else None
    if account is None or account.role != "learner":
        raise Refused(404, "no_account")
    return account
