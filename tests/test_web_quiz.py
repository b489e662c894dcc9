"""Quizzes in the browser and over HTTP: what is told, and when."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from test_quiz import CHOICE, FORMULA, NUMBER, write
from web_judge import WebJudge

from judge.quiz import load_quiz
from web import limits

URL = "/api/v1/quizzes/small"
SECRET = ("A square.", "平方", "64 * 64", "8 T d^2", "C is late", "A product", "Four.", "4,096", "0.01")


@pytest.fixture
def judge(tmp_path: Path) -> WebJudge:
    made = WebJudge(tmp_path)
    write(made.config.problems)
    return made


class Visitor:
    def __init__(self, judge: WebJudge) -> None:
        self.client, self.headers = judge.learner()

    def answer(self, question: str, answer: str) -> dict[str, Any]:
        return self.post({"question": question, "answer": answer})

    def post(self, body: dict[str, Any], status: int = 200) -> dict[str, Any]:
        said = self.client.post(f"{URL}/answers", json=body, headers=self.headers)
        assert said.status_code == status
        found: dict[str, Any] = said.json
        return found

    def form(self, **fields: Any) -> str:
        """Posts the form as a browser without script does, and follows."""
        said = self.client.post("/quizzes/small", data=fields, headers=self.headers)
        assert said.status_code == 303
        assert said.headers["Location"] == f"/quizzes/small#q-{fields['question']}"
        return self.client.get("/quizzes/small").text


@pytest.fixture
def ada(judge: WebJudge) -> Visitor:
    return Visitor(judge)


def right_options(judge: WebJudge) -> str:
    question = load_quiz(judge.config.problems, "small").questions[1]
    return " ".join(option.id for option in question.options if option.right)


def test_nothing_of_an_answer_is_sent_before_it_is_due(judge: WebJudge, ada: Visitor) -> None:
    ada.answer("cost", "T d")
    texts = [ada.client.get(path).text for path in ("/quizzes/small", URL, "/api/v1/quizzes", "/", "/path")]
    texts += [ada.client.get(f"{path}?lang=zh").text for path in ("/quizzes/small", URL)]
    for text in texts:
        assert not [secret for secret in SECRET if secret in text]
        assert "is-right" not in text


def test_a_right_answer_is_explained_and_a_wrong_one_is_told_what_is_wrong(judge: WebJudge, ada: Visitor) -> None:
    wrong = ada.answer("pairs", "128")
    assert (wrong["correct"], wrong["state"], wrong["message"]) == (False, "wrong", "A product, not a sum.")
    assert "explanation" not in wrong
    right = ada.answer("pairs", "2^12")
    assert (right["correct"], right["explanation"], right["right"]) == (True, "A square.", ["`4,096` bytes"])
    assert ada.client.get(f"{URL}?lang=zh").json["questions"][0]["explanation"] == "平方。"
    assert "explanation" not in ada.client.get(URL).json["questions"][1]


def test_an_answer_that_was_shown_never_counts(judge: WebJudge, ada: Visitor) -> None:
    shown = ada.post({"question": "pairs", "reveal": True})
    assert (shown["correct"], shown["state"], shown["explanation"]) == (False, "shown", "A square.")
    assert ada.answer("pairs", "4096")["state"] == "shown"
    assert ada.client.get(URL).json["right"] == 0


def test_a_quiz_is_solved_when_all_is_right(judge: WebJudge, ada: Visitor) -> None:
    def state() -> tuple[str, int]:
        found = ada.client.get("/api/v1/quizzes").json["quizzes"][0]
        return found["state"], found["right"]

    assert state() == ("new", 0)
    ada.answer("pairs", "7")
    assert state() == ("tried", 0)
    ada.answer("pairs", "4096")
    ada.answer("cost", "8 T d d")
    assert state() == ("tried", 2)
    ada.answer("why", right_options(judge))
    assert state() == ("solved", 3)
    assert ada.answer("pairs", "7")["correct"]
    assert state() == ("solved", 3)
    assert Visitor(judge).client.get(URL).json["state"] == "new"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"question": "gone", "answer": "1"}, 404, "unknown_question"),
        ({"question": "pairs"}, 422, "missing_key"),
        ({"answer": "1"}, 422, "missing_key"),
        ({"question": "pairs", "answer": 4096}, 422, "wrong_kind"),
        ({"question": "pairs", "answer": "1" * 201}, 422, "answer_long"),
    ],
)
def test_what_is_no_answer_is_refused(ada: Visitor, body: dict[str, Any], status: int, code: str) -> None:
    assert ada.post(body, status)["code"] == code


@pytest.mark.parametrize("answer", ["9^9^9^9", "(" * 200, "1e308*1e308", "\0", "<script>alert(1)</script>", "٣", "0/0"])
@pytest.mark.parametrize("question", ["pairs", "why", "cost"])
def test_hostile_answers_get_a_sentence_and_stay_text(ada: Visitor, question: str, answer: str) -> None:
    assert ada.answer(question, answer)["message"]
    assert "<script>alert" not in ada.client.get("/quizzes/small").text


def test_answers_are_limited(judge: WebJudge, ada: Visitor) -> None:
    for _ in range(60):
        ada.answer("pairs", "1")
    assert ada.post({"question": "pairs", "answer": "1"}, 429)["code"] == "too_many_answers"
    assert Visitor(judge).answer("pairs", "1")["state"] == "wrong"


def test_new_cookies_buy_no_endless_answers(judge: WebJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ANSWERS_A_MINUTE", 1)
    monkeypatch.setattr(limits, "ADDRESS_FACTOR", 2)
    for _ in range(2):
        Visitor(judge).answer("pairs", "1")
    assert Visitor(judge).post({"question": "pairs", "answer": "1"}, 429)["code"] == "too_many_answers"


def test_without_script_a_form_leads_back_to_its_question(judge: WebJudge, ada: Visitor) -> None:
    wrong = ada.form(question="pairs", answer="128")
    assert "A product, not a sum." in wrong
    assert 'value="128"' in wrong
    a, b = right_options(judge).split()
    half = ada.form(question="why", answer=a)
    assert "What you chose is right, but something is missing." in half
    assert f'value="{a}" checked' in half
    done = ada.form(question="why", answer=[a, b])
    assert "So." in done
    assert done.count("is-right") == 2
    assert "Four." in ada.form(question="cost", reveal="1", answer="x")
    assert "1 of 3 right, 1 with help" in ada.client.get("/quizzes/small").text.replace("\n", " ")


def test_a_quiz_with_help_is_finished_and_told_apart_from_all_right(judge: WebJudge, ada: Visitor) -> None:
    ada.answer("pairs", "4096")
    ada.answer("why", right_options(judge))
    assert ada.client.get(URL).json["state"] == "tried"
    ada.post({"question": "cost", "reveal": True})
    found = ada.client.get(URL).json
    assert (found["state"], found["right"], found["shown"], found["done"]) == ("finished", 2, 1, 3)
    for path in ("/", "/path", "/me"):
        html = ada.client.get(path).text
        assert "Finished, 2 of 3 right" in html
        assert "All right" not in html
    assert 'value="3" max="3"' in ada.client.get("/quizzes/small").text


def test_each_learner_has_an_order_of_options(judge: WebJudge) -> None:
    orders = set()
    for _ in range(12):
        client = judge.client()
        first, second = (re.findall(r'name="answer" value="(\w{8})"', client.get("/quizzes/small").text) for _ in "ab")
        assert first == second
        orders.add(tuple(first))
    assert len(orders) > 1


def test_the_list_and_the_path_lead_to_the_quiz(judge: WebJudge, ada: Visitor) -> None:
    ada.answer("pairs", "4096")
    settings = judge.config.problems / "double" / "problem.toml"
    settings.write_text(settings.read_text().replace("[zh]", 'stage = "masks"\n[zh]', 1), encoding="utf-8")
    for path in ("/", "/path", "/me"):
        html = ada.client.get(path).text
        assert 'href="/quizzes/small"' in html
        assert "1 of 3" in html
    assert 'Quiz <a href="/quizzes/small">Small</a>' in ada.client.get("/problems/double").text
    folder = judge.config.problems / "small" / "questions.toml"
    folder.write_text(NUMBER + CHOICE + FORMULA.replace("names", "nouns"), encoding="utf-8")
    assert "small/questions.toml: question 3 `cost`: key `nouns` is unknown" in ada.client.get("/").text


def test_a_stage_with_a_quiz_alone_is_on_the_path(ada: Visitor) -> None:
    html = ada.client.get("/path").text
    assert html.index("Masks</h2>") < html.index('href="/quizzes/small"') < html.index('href="/problems/double"')


def test_an_answer_leads_back_in_the_language_of_the_page(ada: Visitor) -> None:
    form = {"question": "pairs", "answer": "1"}
    assert 'action="/quizzes/small?lang=zh"' in ada.client.get("/quizzes/small?lang=zh").text
    said = ada.client.post("/quizzes/small?lang=zh", data=form, headers=ada.headers)
    assert said.headers["Location"] == "/quizzes/small?lang=zh#q-pairs"


def test_unknown_quizzes_and_other_kinds_are_not_found(judge: WebJudge, ada: Visitor) -> None:
    for path in ("/quizzes/gone", "/quizzes/double", "/problems/small", "/api/v1/quizzes/gone"):
        assert ada.client.get(path).status_code == 404
    assert "small" not in str(ada.client.get("/api/v1/problems").json)


def test_a_question_that_was_changed_keeps_what_was_right(judge: WebJudge, ada: Visitor) -> None:
    ada.answer("pairs", "4096")
    ada.answer("cost", "T d")
    changed = (NUMBER + CHOICE + FORMULA).replace("4096", "4097").replace("8 T d^2", "T d").replace("64 * 64", "4097")
    (judge.config.problems / "small" / "questions.toml").write_text(changed, encoding="utf-8")
    states = [question["state"] for question in ada.client.get(URL).json["questions"]]
    assert states == ["right", "new", "wrong"]
