"""Quizzes: loading, grading, the formulas of visitors, `judge verify`, and the bank's own."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.loader import IsQuiz, ProblemError, load_problem, slugs
from judge.messages import describe
from judge.model import STAGES, Text
from judge.proving.quizzes import verify_quiz
from judge.quiz import grade, load_quiz, load_quizzes, quiz_slugs, shuffled
from judge.quiz.formula import MAX_CHARS, FormulaError, parse, value
from judge.quiz.numbers import read_number
from judge.quiz.values import Question

BANK = Path(__file__).resolve().parent.parent / "problems"
QUIZZES, FAULTS = load_quizzes(BANK)
QUESTIONS = [pytest.param(question, id=f"{quiz.slug}/{question.id}") for quiz in QUIZZES for question in quiz.questions]
TOML = """kind = "quiz"\ntitle = "Small"\nstage = "masks"\n[zh]\ntitle = "小测"\n"""
NUMBER = """
[[question]]
id = "pairs"
kind = "number"
prompt = { en = "How many bytes?", zh = "多少字节？" }
answer = 4096
unit = { en = "bytes", zh = "字节" }
compute = "64 * 64"
explanation = { en = "A square.", zh = "平方。" }
hint = [{ answer = 128, en = "A product, not a sum.", zh = "是积。" }, { times = -1, en = "Sign.", zh = "符号。" }]
"""
CHOICE = """
[[question]]
id = "why"
kind = "choice"
prompt = { en = "Why?", zh = "为什么？" }
explanation = { en = "So.", zh = "所以。" }
option = [
    { en = "A", zh = "甲", right = true },
    { en = "B", zh = "乙", right = true },
    { en = "C", zh = "丙", hint = { en = "C is late.", zh = "丙来晚了。" } },
]
"""
FORMULA = """
[[question]]
id = "cost"
kind = "formula"
prompt = { en = "Cost?", zh = "代价？" }
explanation = { en = "Four.", zh = "四。" }
names = { T = [1, 64], d = [1, 64] }
answer = "8 T d^2"
hint = [{ answer = "4 T d^2", en = "Two FLOPs each.", zh = "每次两个。" }]
"""


def write(bank: Path, questions: str = NUMBER + CHOICE + FORMULA, settings: str = TOML) -> Path:
    folder = bank / "small"
    folder.mkdir(exist_ok=True)
    (folder / "problem.toml").write_text(settings, encoding="utf-8")
    (folder / "questions.toml").write_text(questions, encoding="utf-8")
    return bank


def question(bank: Path, name: str) -> Question:
    found = load_quiz(write(bank), "small").question(name)
    assert found is not None
    return found


def told(question: Question, answer: str) -> str:
    return describe(grade(question, answer).finding)


@pytest.mark.parametrize(
    "text",
    ["4096", "4,096", "4 096", "4_096", "2^12", "2**12", "2¹²", "64 × 64", "4.096e3", "4096 bytes", "4096B", "4 KiB",
     "4 KB", "4096 字节", "４０９６", "≈ 4096", "8192/2", "1024·4", "(4096)"],
)  # fmt: skip
def test_a_number_is_read_as_people_write_it(tmp_path: Path, text: str) -> None:
    assert grade(question(tmp_path, "pairs"), text).correct


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("4097", "That is not it."),
        ("128", "A product, not a sum."),
        ("-4096", "Sign."),
        ("4194304/1000", "Nearly: look at 1000 and 1024. A KiB is 1024 bytes, a kB is 1000."),
        ("", "There is no answer yet."),
        ("many", "Expected a number, such as 4096, 2^12 or 1.5e3."),
        ("4096 tokens", "The unit asked for is bytes, and “tokens” cannot be turned into it."),
        ("1/0", "This has no value: a division by zero, or the root or logarithm of a negative number."),
        ("9^9^9", "A number in this is too large."),
        ("4;5", "“;” is not understood in this place."),
        ("(4", "The answer ends too early: is a bracket or a number missing?"),
    ],
)
def test_a_wrong_number_is_told_what_is_wrong(tmp_path: Path, text: str, sentence: str) -> None:
    assert told(question(tmp_path, "pairs"), text) == sentence


def test_whole_answers_are_exact_and_others_within_their_tolerance(tmp_path: Path) -> None:
    half = NUMBER.replace("answer = 4096", "answer = 0.5").replace('compute = "64 * 64"\n', "")
    found = load_quiz(write(tmp_path, half), "small").questions[0]
    assert [grade(found, text).correct for text in ("0.5", "0.504", "0.506", "50e-2")] == [True, True, False, True]
    assert not grade(question(tmp_path, "pairs"), "4096.000001").correct


@pytest.mark.parametrize(
    ("text", "unit", "values"),
    [
        ("3 GB", "GiB", [3 * 1000**3 / 1024**3, 3]),
        ("2 MiB", "bytes", [2 * 1024**2]),
        ("1.5 TFLOPs", "FLOPs", [1.5e12]),
        ("5 %", "%", [5]),
        ("3 head", "heads", [3]),
        ("2π", "GiB", [2 * math.pi]),
    ],
)
def test_units_are_turned_into_those_asked_for(text: str, unit: str, values: list[float]) -> None:
    assert read_number(text, Text(unit)) == pytest.approx(values)


def test_a_choice_wants_all_that_is_right_and_nothing_else(tmp_path: Path) -> None:
    found = question(tmp_path, "why")
    a, b, c = (option.id for option in found.options)
    assert grade(found, f"{b} {a}").correct
    assert told(found, a) == "What you chose is right, but something is missing."
    assert told(found, f"{a} {b} {c}") == told(found, c) == "C is late."
    assert told(found, "nothing") == "That is none of the options."


def test_options_are_shuffled_for_each_learner_and_stay_so(tmp_path: Path) -> None:
    found = question(tmp_path, "why")
    orders = {tuple(option.id for option in shuffled(found, f"learner {n}")) for n in range(60)}
    assert len(orders) == 6
    assert shuffled(found, "ada") == shuffled(found, "ada")


@pytest.mark.parametrize(
    "text",
    ["8*T*d**2", "8 T d^2", "8Td²", "2·4·T·d·d", "d^2 * 8t", "(2d)^2 * 2 T", "T d^2 / 0.125", "8 T √(d^4)",
     "8 T min(d, 64) max(d, 1)", "8 T exp(2 log(d))"],
)  # fmt: skip
def test_a_formula_is_right_when_it_has_the_same_values(tmp_path: Path, text: str) -> None:
    assert grade(question(tmp_path, "cost"), text).correct


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("4 T d d", "Two FLOPs each."),
        ("8 T d / 0", "This has no value for "),
        ("8 T q", "“q” is no name here; there are: T, d"),
        ("sqrt 4", "“sqrt” needs brackets: sqrt(...)"),
        ("sqrt(1, 2)", "sqrt(...) has the wrong number of arguments."),
        ("T/2d", "Is a/2b a half of ab"),
        ("__import__('os')", "“__import__” is no name here"),
        ("T.real", "“.” is not understood"),
        ("[T]", "“[” is not understood"),
        ("log(0)", "This has no value for "),
        ("9**9**9", "A number in this is too large."),
        ("(" * 150, "Too many brackets"),
        ("-" * 150, "Too many brackets"),
        ("2^" * 90 + "2", "Too many brackets"),
        ("T" * 1000, "At most 200 characters"),
        ("\ufdfa" * 50, "At most 200 characters"),
        ("nan", "“nan” is no name here"),
        ("1e999", "A number in this is too large."),
        ("T d", "For "),
    ],
)
def test_what_is_no_right_formula_gets_a_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    assert told(question(tmp_path, "cost"), text).startswith(sentence)


SIGNS = st.sampled_from("+-*")
PIECES = st.sampled_from(
    [*"Td9^*/+-(), ²（½e_\0'٣", "1e9", ".5", "**", "//", "sqrt(", "exp(", "log(", "min(", "ceil(", "inf"]
)


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.lists(PIECES, max_size=80).map("".join), st.text(max_size=MAX_CHARS + 20)))
def test_whatever_is_typed_is_a_finite_number_or_a_known_finding(text: str) -> None:
    for read in (lambda: value(parse(text, ["T", "d"]), {"T": 3, "d": 0.5}), lambda: read_number(text, Text("GiB"))[0]):
        try:
            found = read()
        except FormulaError as error:
            finding = error.finding
        else:
            finding = {"code": "answer_right" if math.isfinite(found) else "not finite"}
        assert describe(finding, "zh") != finding["code"]


@settings(max_examples=200, deadline=None)
@given(
    st.recursive(
        st.integers(0, 99).map(str), lambda inner: st.tuples(inner, SIGNS, inner).map(" ".join).map("({})".format)
    )
)
def test_arithmetic_is_that_of_python(text: str) -> None:
    assert value(parse(text)) == eval(text)


@pytest.mark.parametrize(
    ("text", "number"),
    [("-2^2", -4), ("2^3^2", 512), ("2^-1", 0.5), ("1 - 2 - 3", -4), ("12/3/2", 2), ("7//2", 3), ("2(3+4)", 14),
     ("-(2)(3)", -6), ("10/4", 2.5), ("2**100", 2**100), ("0^0", 1), ("(-1)^999", -1), ("2 pi", 2 * math.pi),
     ("e^2/(e^2+1)", 1 / (1 + math.exp(-2)))],
)  # fmt: skip
def test_operators_bind_as_in_mathematics(text: str, number: float) -> None:
    assert value(parse(text)) == pytest.approx(number, rel=1e-12)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (('id = "pairs"\n', ""), "question 1: key `id` is missing, expected a string"),
        (('kind = "number"', 'kind = "essay"'), "key `kind` is 'essay', expected one of number, choice, formula"),
        (("answer = 4096", 'answer = "4096"'), "key `answer` is '4096', expected a number"),
        (("compute", "compare"), "key `compare` is unknown; known keys:"),
        (('zh = "平方。"', 'fr = "carré"'), "'fr': 'carré'}, expected texts `en` and `zh`"),
        (("times = -1, ", ""), "hint 2 needs one of `answer` and `times`"),
        (('id = "why"', 'id = "pairs"'), "question 2 `pairs`: its `id` is that of another question"),
        (("right = true", "right = false"), "question 2 `why`: 0 of 3 options are right; some must be"),
        (('en = "B"', 'en = "A"'), "two options have the same text"),
        (("T = [1, 64]", "T = [64, 1]"), "key `names.T` is [64, 1], expected a lower and a higher number"),
        (("T = [1, 64]", "T = 64"), "key `names.T` is [], expected a lower and a higher number"),
        (("T = [1, 64]", "log = [1, 2]"), "key `names.log` cannot be the name of a number"),
        (('answer = "8 T d^2"', 'answer = "8 T x"'), "answer: '8 T x' is no formula of T, d (formula_name)"),
        (('answer = "8 T d^2"', 'answer = "log(T - 60)"'), "`answer` has no value at some of the points tried"),
        (("[[question]]", "[[frage]]"), "key `frage` is unknown"),
        (("[[question]]", "[[question"), "is no valid TOML"),
    ],
)  # fmt: skip
def test_a_fault_in_the_questions_is_named(tmp_path: Path, change: tuple[str, str], fault: str) -> None:
    with pytest.raises(ProblemError) as error:
        load_quiz(write(tmp_path, (NUMBER + CHOICE + FORMULA).replace(*change)), "small")
    assert fault in str(error.value)
    assert str(error.value).startswith("small/questions.toml: ")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (TOML.replace('"masks"', '"moon"'), "key `stage` is 'moon', expected one of foundations"),
        (TOML.replace('"quiz"', '"exam"'), "key `kind` is 'exam', expected 'quiz'"),
        (TOML.replace("kind", "sort"), "key `sort` is unknown"),
        (TOML + 'lead = "x"\n', "key `zh.lead` is unknown"),
    ],
)
def test_a_fault_in_the_settings_is_named(tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(ProblemError, match=r"small/problem\.toml") as error:
        load_quiz(write(tmp_path, settings=text), "small")
    assert fault in str(error.value)


def test_a_quiz_is_no_problem(tmp_path: Path) -> None:
    write(tmp_path)
    assert slugs(tmp_path) == []
    assert quiz_slugs(tmp_path) == ["small"]
    with pytest.raises(IsQuiz):
        load_problem(tmp_path, "small")
    (tmp_path / "small" / "questions.toml").unlink()
    with pytest.raises(ProblemError, match=r"questions\.toml: the file is missing"):
        load_problem(tmp_path, "small")


def test_verify_computes_numbers_again_and_finds_hints_for_right_answers(tmp_path: Path) -> None:
    assert verify_quiz(write(tmp_path), "small", publish=True).errors == []
    wrong = NUMBER.replace("64 * 64", "64 * 63").replace("answer = 128", "answer = 4096")
    assert verify_quiz(write(tmp_path, wrong), "small").errors == [
        "question `pairs`: `compute` gives 4032.0, `answer` is 4096",
        "question `pairs`: hint 1 is for an answer that is right",
    ]
    failing = NUMBER.replace("64 * 64", "1 / 0")
    assert "`compute` fails: ZeroDivisionError" in verify_quiz(write(tmp_path, failing), "small").errors[0]


def test_what_a_published_quiz_lacks_is_told(tmp_path: Path) -> None:
    draft = CHOICE.replace(', zh = "甲"', "").replace(', hint = { en = "C is late.", zh = "丙来晚了。" }', "")
    found = verify_quiz(write(tmp_path, draft), "small")
    assert found.ok
    assert found.warnings == ["question `why`: 1 texts lack `zh`", "question `why`: 1 wrong options have no `hint`"]
    assert verify_quiz(tmp_path, "small", publish=True).errors == found.warnings


def test_the_bank_has_a_quiz_for_each_stage_and_42_questions() -> None:
    assert not FAULTS
    assert {quiz.stage for quiz in QUIZZES} == set(STAGES)
    assert len(QUESTIONS) >= 42


@pytest.mark.parametrize("quiz", QUIZZES, ids=lambda quiz: quiz.slug)
def test_each_quiz_of_the_bank_is_fit_to_be_published(quiz: object) -> None:
    assert verify_quiz(BANK, quiz.slug, publish=True).errors == []  # type: ignore[attr-defined]


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_answer_of_the_bank_is_graded_right(question: Question) -> None:
    right = " ".join(option.id for option in question.options if option.right)
    assert grade(question, right or str(question.answer)).correct
