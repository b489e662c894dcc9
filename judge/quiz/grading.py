"""An answer's grade. Pure: the same answer always gets the same grade."""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Iterator

from judge.model import Finding, Lang, Text
from judge.quiz.formula import MAX_CHARS, FormulaError, Node, parse, value
from judge.quiz.numbers import is_bytes, read_number
from judge.quiz.values import Grade, Number, Option, Question

MAX_ANSWER = MAX_CHARS
"""Characters of an answer."""
POINTS = 48
PRECISION = 1e-9
BYTE_SLIPS = [(1000 / 1024) ** power for power in (-3, -2, -1, 1, 2, 3)]
RIGHT: Finding = {"code": "answer_right"}
WRONG: Finding = {"code": "answer_wrong"}


def grade(question: Question, answer: str) -> Grade:
    """The answer as it was typed; for a choice the options' ids, with spaces between them."""
    try:
        return {"number": _number, "choice": _choice, "formula": _formula}[question.kind](question, answer)
    except FormulaError as error:
        return Grade(False, error.finding)


def shuffled(question: Question, learner: str) -> list[Option]:
    """The options in this learner's order."""

    def place(option: Option) -> bytes:
        return hashlib.sha256(f"{learner}/{question.id}/{option.id}".encode()).digest()

    return sorted(question.options, key=place)


def in_words(question: Question, lang: Lang) -> list[str]:
    """The right answer as Markdown; several lines where several options are right."""
    if question.kind == "choice":
        return [option.text[lang] for option in question.options if option.right]
    answer = question.answer
    text = f"{answer:,}" if isinstance(answer, int) else str(answer)
    unit = f" {question.unit[lang]}" if question.unit else ""
    return [f"`{text}`{unit}"]


def _said(text: Text) -> Grade:
    return Grade(False, {"code": "text", "en": text.en, "zh": text.zh or text.en})


def _choice(question: Question, answer: str) -> Grade:
    chosen = set(answer.split())
    if not chosen:
        raise FormulaError("answer_empty")
    if not chosen <= {option.id for option in question.options} or (len(chosen) > 1 and not question.several):
        raise FormulaError("choice_unknown")
    right = {option.id for option in question.options if option.right}
    if chosen == right:
        return Grade(True, RIGHT)
    if chosen < right:
        return Grade(False, {"code": "choice_missing"})
    wrong = [option for option in question.options if option.id in chosen - right]
    return next((_said(option.hint) for option in wrong if option.hint), Grade(False, WRONG))


def _number(question: Question, answer: str) -> Grade:
    values = read_number(answer, question.unit)
    right = question.answer
    assert isinstance(right, int | float)
    if any(_near(found, right, question.tolerance) for found in values):
        return Grade(True, RIGHT)
    for hint in question.hints:
        target = right * hint.times if hint.times is not None else hint.answer
        if isinstance(target, int | float) and _near(values[0], target, max(question.tolerance, PRECISION)):
            return _said(hint.text)
    if is_bytes(question.unit) and any(_near(values[0], right * slip, PRECISION) for slip in BYTE_SLIPS):
        return Grade(False, {"code": "number_1024"})
    return Grade(False, WRONG)


def _near(found: Number, right: Number, tolerance: float) -> bool:
    return found == right or math.isclose(found, right, rel_tol=max(tolerance, 1e-15), abs_tol=0.0)


def _formula(question: Question, answer: str) -> Grade:
    names = question.names
    tree = parse(answer, names)
    difference = _difference(tree, parse(str(question.answer), names), question)
    if difference is None:
        return Grade(True, RIGHT)
    for hint in question.hints:
        if _difference(tree, parse(str(hint.answer), names), question) is None:
            return _said(hint.text)
    return Grade(False, difference)


def _difference(tree: Node, right: Node, question: Question) -> Finding | None:
    """The first point at which the formulas differ; None where they agree on all."""
    for point in points(question):
        at = ", ".join(f"{name} = {number:.4g}" for name, number in point.items())
        try:
            found = value(tree, point)
        except FormulaError as error:
            if error.finding["code"] == "formula_undefined":
                return {"code": "formula_undefined_at", "at": at}
            raise
        if not math.isclose(found, value(right, point), rel_tol=PRECISION, abs_tol=1e-12):
            return {"code": "formula_differs", "at": at, "got": f"{found:.6g}"}
    return None


def points(question: Question) -> Iterator[dict[str, Number]]:
    """Values for the names, small ones first; always the same."""
    draw = random.Random(question.id)
    for number in range(POINTS):
        share = min(1.0, (number + 4) / POINTS)
        point: dict[str, Number] = {}
        for name, (low, high) in question.names.items():
            top = low + (high - low) * share
            whole = isinstance(low, int) and isinstance(high, int)
            point[name] = draw.randint(int(low), int(top)) if whole else draw.uniform(low, top)
        yield point
