"""A stored submission as JSON, in the viewer's language: what `judge run --json` has, and its place in the queue."""

from __future__ import annotations

import math
from typing import Any

from judge.loader import ProblemError, UnknownProblem
from judge.messages import case_json, describe, report_json
from judge.model import Problem, ProblemLimits, Text
from judge.store import SubmissionView
from web import curriculum, parts


def submission_json(view: SubmissionView, lang: str) -> dict[str, Any]:
    """The contract's object. `verdict` is null until `status` is done; `cases` are those graded so far."""
    submission, judging = view.submission, view.judging
    problem = problem_of(submission.problem)
    report = view.report
    ahead = parts.store().ahead(judging.id) if judging.status == "queued" else 0
    shown = problem.samples if submission.samples_only else problem.cases
    cases = 1 if submission.input is not None else len(shown)
    body: dict[str, Any] = {
        "id": submission.id,
        "status": judging.status,
        "ahead": ahead,
        "eta_s": eta_s(ahead) if judging.status == "queued" else None,
        "case_count": cases,
        "input": submission.input,
        "created_at": submission.created_at,
        "finished_at": judging.finished_at,
        "diagnosing": judging.diagnosing,
        "outdated": bool(judging.problem_digest) and judging.problem_digest != problem.digest,
    }
    if report is not None:
        return body | report_json(report, problem, lang)
    return body | {
        "problem": submission.problem,
        "verdict": judging.verdict,
        "message": describe(judging.finding, lang),
        "finding": judging.finding,
        "cases": [case_json(case, problem, lang) for case in view.cases],
        "time_ms": None,
        "memory_kb": None,
        "sandbox": judging.sandbox,
        "seed": judging.seed,
        "diagnosis": None,
        "smallest": None,
        "source_sha256": submission.source_sha256,
        "samples_only": submission.samples_only,
    }


def summary_json(view: SubmissionView) -> dict[str, Any]:
    """One row of a list of submissions."""
    submission, judging = view.submission, view.judging
    return {
        "id": submission.id,
        "problem": submission.problem,
        "status": judging.status,
        "verdict": judging.verdict,
        "samples_only": submission.samples_only,
        "own_input": submission.input is not None,
        "created_at": submission.created_at,
        "time_ms": round(judging.time_ms, 3) if judging.verdict else None,
        "bytes": len(submission.source),
    }


def problem_of(slug: str) -> Problem:
    """The problem; a nameless stand-in where its folder is gone or broken, so that old submissions stay readable."""
    try:
        return parts.bank().problem(slug)
    except (UnknownProblem, ProblemError):
        return Problem(
            slug=slug, folder=parts.config().problems / slug, title=Text(slug), difficulty="easy", tags=(), order=0,
            limits=ProblemLimits(), forbidden=(), statement=Text(""), explanation=Text(""), starter="", names=(),
            cases=(), submissions=(), digest="",
        )  # fmt: skip


def eta_s(ahead: int) -> float | None:
    """Seconds until a judging with `ahead` others before it is done, from how long gradings took lately."""
    mean = parts.feed().state().mean_s
    if mean is None:
        return None
    return round(mean * math.ceil((ahead + 1) / parts.config().worker_count), 1)


def problem_summary(problem: Problem, lang: str, solved: str | None) -> dict[str, Any]:
    return {
        "slug": problem.slug,
        "title": problem.title[lang],
        "difficulty": problem.difficulty,
        "tags": list(problem.tags),
        "state": solved,
    }


def problem_json(problem: Problem, lang: str, solved: str | None) -> dict[str, Any]:
    """What a learner may know of a problem: never hidden tests, the reference or mistakes."""
    return problem_summary(problem, lang, solved) | {
        "statement": problem.statement[lang],
        "starter": problem.starter,
        "names": list(problem.names),
        "time_limit_s": problem.limits.time_limit_s,
        "memory_mb": problem.limits.memory_mb,
        "forbidden": list(problem.forbidden),
        "cases": [{"name": c.name, "title": c.title[lang], "sample": c.sample} for c in problem.cases],
    }


def place_json(problem: Problem, learner: str, lang: str) -> dict[str, Any]:
    """Where the problem stands on the learning path, and what comes once it is solved (`next`)."""
    problems, _ = parts.bank().all()
    states = parts.store().solved(learner)
    after = curriculum.next_problem(problems, states | {problem.slug: "solved"}, after=problem)

    quizzes, _ = parts.bank().quizzes()
    quiz = next((quiz for quiz in quizzes if quiz.stage == problem.stage), None)

    def short(found: Problem) -> dict[str, Any]:
        return {"slug": found.slug, "title": found.title[lang], "state": states.get(found.slug)}

    return {
        "stage": problem.stage,
        "builds_on": [short(p) for p in curriculum.builds_on(problem, problems)],
        "leads_to": [short(p) for p in curriculum.leads_to(problem, problems)],
        "next": short(after) if after else None,
        "explorer": f"/explore/{problem.explorer}" if problem.explorer else None,
        "quiz": {"slug": quiz.slug, "title": quiz.title[lang]} if quiz else None,
    }
