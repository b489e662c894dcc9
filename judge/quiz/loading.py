"""From a quiz folder to a Quiz. Every fault is a `ProblemError` that names the question, the key and what is expected.

problems/<slug>/problem.toml      kind = "quiz", title, stage, order, [zh] title
                questions.toml    [[question]] id, kind, prompt, explanation, and by kind:
                    number        answer, tolerance, unit, compute, [[question.hint]] answer or times, en, zh
                    choice        [[question.option]] en, zh, right, hint
                    formula       answer, names, [[question.hint]] answer, en, zh
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from judge.loader import QUESTIONS, SLUG, ProblemError, UnknownProblem, folders, read_toml
from judge.model import STAGES, Text
from judge.quiz.formula import FUNCTIONS, FormulaError, parse
from judge.quiz.grading import grade, points
from judge.quiz.values import KINDS, Hint, Option, Question, Quiz

PAIR = "texts `en` and `zh`"
TOP_KEYS = {"kind": "'quiz'", "title": "a string", "stage": "a string", "order": "a whole number", "zh": "a table"}
COMMON_KEYS = {"id": "a string", "kind": "a string", "prompt": PAIR, "explanation": PAIR}
NUMBER_KEYS = {"answer": "a number", "tolerance": "a number", "unit": PAIR, "compute": "a string", "hint": "tables"}
CHOICE_KEYS = {"option": "tables", "several": "true or false"}
FORMULA_KEYS = {"answer": "a string", "names": "a table", "hint": "tables"}
KEYS = {"number": NUMBER_KEYS, "choice": CHOICE_KEYS, "formula": FORMULA_KEYS}
OPTION_KEYS = {"en": "a string", "zh": "a string", "right": "true or false", "hint": PAIR}
HINT_KEYS = {"en": "a string", "zh": "a string", "answer": "", "times": "a number"}
USUAL_TOLERANCE = 0.01
"""For answers that are no whole numbers."""


def quiz_slugs(bank: Path) -> list[str]:
    return [name for name in folders(bank) if (bank / name / QUESTIONS).is_file()]


def load_quizzes(bank: Path) -> tuple[list[Quiz], list[ProblemError]]:
    """All quizzes by stage, and the faults of the folders that do not load."""
    quizzes, errors = [], []
    for slug in quiz_slugs(bank):
        try:
            quizzes.append(load_quiz(bank, slug))
        except ProblemError as error:
            errors.append(error)
    return sorted(quizzes, key=lambda q: (STAGES.index(q.stage), q.order, q.slug)), errors


def load_quiz(bank: Path, slug: str) -> Quiz:
    """Raises UnknownProblem and ProblemError; unchanged files are answered from memory."""
    folder = bank / slug
    paths = folder / "problem.toml", folder / QUESTIONS
    if not SLUG.fullmatch(slug) or not all(path.is_file() for path in paths):
        raise UnknownProblem(slug, quiz_slugs(bank))
    return _load(folder, tuple((path.stat().st_mtime_ns, path.stat().st_size) for path in paths))


@lru_cache(maxsize=64)
def _load(folder: Path, stamp: tuple[tuple[int, int], ...]) -> Quiz:
    path = folder / "problem.toml"
    settings = read_toml(path)
    faults = list(_faults("", settings, TOP_KEYS, ("kind", "title", "stage")))
    zh = settings.get("zh", {})
    if not faults:
        faults += _faults("zh.", zh, {"title": "a string"}, ())
    if not faults and settings["kind"] != "quiz":
        faults.append(f"key `kind` is {settings['kind']!r}, expected 'quiz' beside a {QUESTIONS}")
    if not faults and settings["stage"] not in STAGES:
        faults.append(f"key `stage` is {settings['stage']!r}, expected one of {', '.join(STAGES)}")
    if faults:
        raise ProblemError(path, "; ".join(faults))
    questions = _questions(folder / QUESTIONS)
    title = Text(settings["title"], zh.get("title"))
    return Quiz(folder.name, folder, title, settings["stage"], settings.get("order", 1000), questions)


def _questions(path: Path) -> tuple[Question, ...]:
    table = read_toml(path)
    faults = list(_faults("", table, {"question": "tables"}, ("question",)))
    made: list[Question] = []
    for number, one in enumerate(table.get("question", []) if not faults else [], start=1):
        where = f"question {number}" + (f" `{one['id']}`" if isinstance(one.get("id"), str) else "")
        found = list(_question_faults(one))
        if not found:
            made.append(_question(one))
            found = list(_meaning_faults(made[-1]))
            if any(other.id == made[-1].id for other in made[:-1]):
                found.append("its `id` is that of another question")
        faults += [f"{where}: {fault}" for fault in found]
    if faults:
        raise ProblemError(path, "; ".join(faults))
    return tuple(made)


def _question_faults(one: dict[str, Any]) -> Iterator[str]:
    kind = one.get("kind")
    if kind not in KINDS:
        yield f"key `kind` is {kind!r}, expected one of {', '.join(KINDS)}"
        return
    needed = {"number": ("answer",), "choice": ("option",), "formula": ("answer", "names")}[kind]
    yield from _faults("", one, COMMON_KEYS | KEYS[kind], (*COMMON_KEYS, *needed))
    for key, known, must in (("option", OPTION_KEYS, ("en",)), ("hint", HINT_KEYS, ("en",))):
        for number, table in enumerate(one.get(key, []) if isinstance(one.get(key), list) else [], start=1):
            if isinstance(table, dict):
                yield from _faults(f"{key} {number} ", table, known, must)
    if isinstance(one.get("id"), str) and not SLUG.fullmatch(one["id"]):
        yield f"key `id` is {one['id']!r}, expected lower-case words joined by hyphens"


def _faults(prefix: str, table: dict[str, Any], known: Mapping[str, str], needed: tuple[str, ...]) -> Iterator[str]:
    for key, value in table.items():
        if key not in known:
            yield f"key `{prefix}{key}` is unknown; known keys: {', '.join(known)}"
        elif not _is(value, known[key]):
            yield f"key `{prefix}{key}` is {value!r}, expected {known[key]}"
    for key in needed:
        if key not in table:
            yield f"key `{prefix}{key}` is missing, expected {known[key]}"


def _is(value: object, kind: str) -> bool:
    match kind:
        case "a string" | "'quiz'":
            return isinstance(value, str) and bool(value.strip())
        case "a number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "a whole number":
            return isinstance(value, int) and not isinstance(value, bool)
        case "true or false":
            return isinstance(value, bool)
        case "a table":
            return isinstance(value, dict)
        case "tables":
            return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)
        case "texts `en` and `zh`":
            texts = value if isinstance(value, dict) else {}
            return "en" in texts and set(texts) <= {"en", "zh"} and all(_is(t, "a string") for t in texts.values())
    return True  # a hint's `answer` is a number or a formula, by its question's kind


def _question(one: dict[str, Any]) -> Question:
    answer = one.get("answer")
    options = tuple(_option(table) for table in one.get("option", []))
    return Question(
        id=one["id"],
        kind=one["kind"],
        prompt=_text(one["prompt"]),
        explanation=_text(one["explanation"]),
        answer=answer,
        tolerance=float(one.get("tolerance", 0.0 if isinstance(answer, int) else USUAL_TOLERANCE)),
        unit=_text(one["unit"]) if "unit" in one else None,
        compute=one.get("compute"),
        names={name: tuple(b) if isinstance(b, list) else () for name, b in one.get("names", {}).items()},
        options=options,
        several=one.get("several", sum(option.right for option in options) > 1),
        hints=tuple(Hint(_text(h), h.get("answer"), h.get("times")) for h in one.get("hint", [])),
    )


def _text(pair: dict[str, Any]) -> Text:
    return Text(pair["en"].strip(), pair["zh"].strip() if "zh" in pair else None)


def _option(table: dict[str, Any]) -> Option:
    name = hashlib.sha256(table["en"].encode()).hexdigest()[:8]
    hint = _text(table["hint"]) if "hint" in table else None
    return Option(name, _text(table), table.get("right", False), hint)


def _meaning_faults(question: Question) -> Iterator[str]:
    """What has the right form and cannot be answered, or answers twice."""
    if question.kind == "choice":
        right = sum(option.right for option in question.options)
        if not 0 < right < len(question.options) and not (question.several and right):
            yield f"{right} of {len(question.options)} options are right; some must be and some must not"
        if right > 1 and not question.several:
            yield "several options are right, but `several` is false"
        if len({option.id for option in question.options}) < len(question.options):
            yield "two options have the same text"
    for number, hint in enumerate(question.hints, start=1):
        if (hint.answer is None) == (hint.times is None):
            yield f"hint {number} needs one of `answer` and `times`"
        elif question.kind == "number" and not _is(hint.answer if hint.times is None else hint.times, "a number"):
            yield f"hint {number}: `answer` is {hint.answer!r}, expected a number"
        elif question.kind == "formula" and not isinstance(hint.answer, str):
            yield f"hint {number}: `answer` is {hint.answer!r}, expected a formula"
    if question.kind == "formula":
        yield from _formula_faults(question)


def _formula_faults(question: Question) -> Iterator[str]:
    for name, bounds in question.names.items():
        if len(bounds) != 2 or not all(_is(bound, "a number") for bound in bounds) or bounds[0] >= bounds[1]:
            yield f"key `names.{name}` is {list(bounds)!r}, expected a lower and a higher number"
            return
        if not name.isidentifier() or name.lower() in FUNCTIONS:
            yield f"key `names.{name}` cannot be the name of a number"
    if not question.names:
        yield "key `names` is empty, expected such as { T = [1, 64], d = [1, 64] }"
        return
    for what, text in (
        ("answer", question.answer),
        *((f"hint {n}", h.answer) for n, h in enumerate(question.hints, 1)),
    ):
        try:
            parse(str(text), question.names)
        except FormulaError as error:
            yield f"{what}: {text!r} is no formula of {', '.join(question.names)} ({error.finding['code']})"
            return
    if not grade(question, str(question.answer)).correct:
        yield f"`answer` has no value at some of the points tried, such as {next(points(question))}"
