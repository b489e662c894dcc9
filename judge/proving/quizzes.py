"""Proves a quiz: its numbers are computed again, and each hint can be reached. No sandbox; the folder is trusted.

errors      the quiz does not load; `compute` gives another number than `answer`; a hint for an answer that is right
warnings    a text that is missing in Chinese; a choice without hints at its wrong options (errors with `publish`)
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from judge.loader import ProblemError
from judge.model import Text
from judge.proving.proof import VerifyResult
from judge.quiz import Hint, Question, Quiz, grade, load_quiz


def verify_quiz(bank: Path, slug: str, publish: bool = False) -> VerifyResult:
    result = VerifyResult(slug)
    try:
        quiz = load_quiz(bank, slug)
    except ProblemError as error:
        result.errors.append(str(error))
        return result
    for question in quiz.questions:
        result.errors += [f"question `{question.id}`: {error}" for error in _errors(question)]
    (result.errors if publish else result.warnings).extend(_gaps(quiz))
    return result


def _errors(question: Question) -> Iterator[str]:
    if question.compute:
        found = computed(question.compute)
        if isinstance(found, str):
            yield f"`compute` fails: {found}"
        elif not math.isclose(found, float(question.answer or 0), rel_tol=max(question.tolerance / 10, 1e-12)):
            yield f"`compute` gives {found!r}, `answer` is {question.answer!r}"
    for number, hint in enumerate(question.hints, start=1):
        if grade(question, _wrong(question, hint)).correct:
            yield f"hint {number} is for an answer that is right"


def computed(code: str) -> float | str:
    """The value of a Python expression with `math` and, where it is used, `torch`; or what went wrong."""
    names: dict[str, Any] = {"math": math}
    if "torch" in code:
        import torch

        names["torch"] = torch
    try:
        return float(eval(code, names))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _wrong(question: Question, hint: Hint) -> str:
    right = question.answer
    return str(right * hint.times if hint.times is not None and isinstance(right, int | float) else hint.answer)


def _gaps(quiz: Quiz) -> Iterator[str]:
    if not quiz.title.zh:
        yield "problem.toml: key `zh.title` is missing"
    for question in quiz.questions:
        texts: list[Text | None] = [question.prompt, question.explanation, question.unit]
        texts += [option.text for option in question.options] + [option.hint for option in question.options]
        texts += [hint.text for hint in question.hints]
        missing = sum(text is not None and not text.zh for text in texts)
        if missing:
            yield f"question `{question.id}`: {missing} texts lack `zh`"
        silent = sum(not option.right and option.hint is None for option in question.options)
        if silent:
            yield f"question `{question.id}`: {silent} wrong options have no `hint`"
