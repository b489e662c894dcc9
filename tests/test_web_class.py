"""The class, which instructors read, and the accounts, which administrators change."""

from __future__ import annotations

from test_quiz import write as write_quiz
from web_accounts import PASSWORD, csrf, post, sign_up, who, with_role
from web_judge import SOURCE, WebJudge, submit


def test_an_instructor_reads_the_class_and_changes_nothing(judge: WebJudge) -> None:
    ada = sign_up(judge, "ada")
    number = submit(ada, csrf(ada)).json["id"]
    judge.finish("AC")
    teacher = with_role(judge, "grace", "instructor")
    page = teacher.get("/class").text
    assert "ada" in page
    assert "Solved" in page
    account = judge.store.account_named("ada")
    assert account is not None
    assert f"/submissions/{number}" in teacher.get(f"/class/{account.id}").text
    page = teacher.get(f"/submissions/{number}").text
    assert f'<a href="/class/{account.id}" translate="no">ada</a>' in page
    assert "return" in page
    assert "/class/" not in ada.get(f"/submissions/{number}").text
    assert teacher.get(f"/api/v1/submissions/{number}/source").text == SOURCE
    waiting = submit(ada, csrf(ada)).json["id"]
    assert teacher.delete(f"/api/v1/submissions/{waiting}", headers=csrf(teacher)).status_code == 404
    assert teacher.get("/accounts").status_code == 403


def test_the_class_shows_how_far_each_is_in_the_quizzes(judge: WebJudge) -> None:
    write_quiz(judge.config.problems)
    ada = sign_up(judge, "ada")
    for body in ({"question": "pairs", "answer": "4096"}, {"question": "cost", "reveal": True}):
        assert ada.post("/api/v1/quizzes/small/answers", json=body, headers=csrf(ada)).status_code == 200
    teacher = with_role(judge, "grace", "instructor")
    page = teacher.get("/class").text
    assert 'href="/quizzes/small">Small</a>' in page
    assert '<td class="number">1/3<span class="revealed" title="1 with help"' in page


def test_the_class_holds_learners_only(judge: WebJudge) -> None:
    teacher = with_role(judge, "grace", "instructor")
    anonymous, token = judge.learner()
    number = submit(anonymous, token).json["id"]
    colleague = with_role(judge, "alan", "instructor")
    own = submit(colleague, csrf(colleague)).json["id"]
    for other in (number, own):
        assert teacher.get(f"/api/v1/submissions/{other}").status_code == 404
    account = judge.store.account_named("alan")
    assert account is not None
    assert teacher.get(f"/class/{account.id}").status_code == 404


def test_numbers_that_no_database_holds_are_not_found(judge: WebJudge) -> None:
    root, huge = with_role(judge, "root", "administrator"), 2**63
    ada = judge.store.create_account("ada", PASSWORD)
    assert root.get(f"/class/{huge}").status_code == 404
    assert root.get(f"/class/{ada.id}?before={huge}").status_code == 200
    assert post(root, f"/accounts/{huge}", role="learner").status_code == 404
    assert post(root, f"/account/tokens/{huge}/revoke").status_code == 404


def test_an_administrator_gives_roles_and_disables(judge: WebJudge) -> None:
    root = with_role(judge, "root", "administrator")
    ada = sign_up(judge, "ada")
    account = judge.store.account_named("ada")
    assert account is not None
    path = f"/accounts/{account.id}"
    assert post(root, path, role="instructor").status_code == 303
    assert ada.get("/class").status_code == 200
    assert post(root, path, disabled="1").status_code == 303
    assert who(ada) is None
    for form in ({"role": "king"}, {"disabled": "perhaps"}):
        assert post(root, path, **form).status_code == 422
    assert post(root, "/accounts/999", role="learner").status_code == 404
    own = judge.store.account_named("root")
    assert own is not None
    assert post(root, f"/accounts/{own.id}", role="learner").status_code == 409
