"""What the command line makes of a quiz."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_judge import SLUG, Here, make
from test_quiz import CHOICE, FORMULA, NUMBER, write

from judge.quiz import load_quiz

SMALL = "`small` is a quiz: `judge serve` shows it in the browser, where it is answered"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    made = make(tmp_path, monkeypatch, capsys)
    write(tmp_path / "problems")
    return made


def test_list_shows_quizzes_after_the_problems(here: Here) -> None:
    assert here("list").out.splitlines()[-1].split() == ["small", "quiz", "Small"]
    assert here("list", "--lang", "zh").out.splitlines()[-1].split() == ["small", "测验", "小测"]
    problem, quiz = here("list", "--json").json
    assert problem["kind"] == "problem"
    assert quiz == {"kind": "quiz", "slug": "small", "title": "Small", "stage": "masks", "questions": 3}


def test_show_has_the_questions_and_no_answer(here: Here) -> None:
    said = here("show", "small").out
    for shown in ("How many bytes?", "A number, in bytes.", "- A", "Several may be right.", "A formula of T, d."):
        assert shown in said
    for hidden in ("4096", "64 * 64", "8 T d^2", "C is late", "A square.", "A product"):
        assert hidden not in said
    assert "为什么？" in here("show", "small", "--lang", "zh").out


@pytest.mark.parametrize("command", ["run", "start"])
def test_what_is_for_problems_says_that_this_is_a_quiz(here: Here, command: str) -> None:
    said = here(command, "small", here.write("answer.py", b"x = 1\n"))
    assert SMALL in said.err
    assert said.code == 2


def test_verify_checks_quizzes_and_says_what_is_wrong(here: Here) -> None:
    assert here("verify", "small", "--publish").code == 0
    write(here.folder / "problems", NUMBER.replace("64 * 64", "63 * 64") + CHOICE + FORMULA)
    said = here("verify", "small")
    assert said.code == 1
    assert "question `pairs`: `compute` gives 4032.0, `answer` is 4096" in said.out


def test_a_broken_quiz_hides_nothing(here: Here) -> None:
    write(here.folder / "problems", NUMBER.replace("4096", "true"))
    said = here("list")
    assert SLUG in said.out
    assert "small/questions.toml: question 1 `pairs`: key `answer` is True, expected a number" in said.err
    assert "small/questions.toml" in here("verify", "small").out


def test_the_order_of_options_in_a_terminal_does_not_follow_the_file(tmp_path: Path) -> None:
    options = ",\n".join(f'{{ en = "{n}", zh = "{n}", right = {str(n < 1).lower()} }}' for n in range(8))
    questions = CHOICE[: CHOICE.index("option =")] + f"option = [{options}]\n"
    question = load_quiz(write(tmp_path, questions), "small").questions[0]
    from judge.quiz import shuffled

    assert [option.text.en for option in shuffled(question, "")] != [str(n) for n in range(8)]
