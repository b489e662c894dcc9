"""What each role may do with each route, where sign-in is required. A route that is not in the table fails.

Each row: method and rule, an example of it about Ada's work, the body of an unsafe request, and the status for an
anonymous visitor, another learner, Ada, an instructor, an administrator. 303 leads a visitor to the sign-in.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from test_quiz import write as write_quiz
from web_judge import SOURCE, WebJudge

ROLES = ("anonymous", "other", "owner", "instructor", "administrator")
PASSWORD = "correct horse 42"
TEXT: dict[str, Any] = {"json": {"text": "x"}}
ALL = (200, 200, 200, 200, 200)
OWN = (404, 404, 200, 200, 200)
"""A learner's submission: their own, and those who teach."""
TEACH = (303, 403, 403, 200, 200)
Row = tuple[str, dict[str, Any], tuple[int, int, int, int, int]]
TABLE: dict[str, Row] = {
    "GET /": ("/", {}, ALL),
    "GET /path": ("/path", {}, ALL),
    "GET /me": ("/me", {}, ALL),
    "GET /explore": ("/explore", {}, ALL),
    "GET /explore/<name>": ("/explore/masks", {}, ALL),
    "GET /problems/": ("/problems/", {}, (302, 302, 302, 302, 302)),
    "GET /problems/<slug>": ("/problems/double", {}, ALL),
    "GET /problems/<slug>/explanation": ("/problems/double/explanation", {}, ALL),
    "GET /problems/<slug>/submissions": ("/problems/double/submissions", {}, ALL),
    "GET /submissions/<int:submission_id>": ("/submissions/{submission}", {}, OWN),
    "GET /editor": ("/editor", {}, ALL),
    "GET /static/<path:name>": ("/static/style.css", {}, ALL),
    "GET /healthz": ("/healthz", {}, ALL),
    "GET /readyz": ("/readyz", {}, ALL),
    "GET /metrics": ("/metrics", {}, ALL),
    "POST /language": ("/language", {"data": {"lang": "zh"}}, (303, 303, 303, 303, 303)),
    "POST /theme": ("/theme", {"data": {"theme": "dark"}}, (303, 303, 303, 303, 303)),
    "GET /api/v1/problems": ("/api/v1/problems", {}, ALL),
    "GET /api/v1/problems/<slug>": ("/api/v1/problems/double", {}, ALL),
    "GET /api/v1/session": ("/api/v1/session", {}, ALL),
    "GET /api/v1/drafts/<slug>": ("/api/v1/drafts/double", {}, (404, 404, 200, 404, 404)),
    "PUT /api/v1/drafts/<slug>": ("/api/v1/drafts/double", TEXT, (401, 200, 412, 200, 200)),
    "GET /api/v1/drafts/<slug>/versions": ("/api/v1/drafts/double/versions", {}, ALL),
    "GET /api/v1/drafts/<slug>/versions/<int:version_id>": (
        "/api/v1/drafts/double/versions/{version}", {}, (404, 404, 200, 404, 404)
    ),
    "POST /api/v1/reveals/<slug>": ("/api/v1/reveals/double", {"json": {}}, (401, 200, 200, 200, 200)),
    "GET /quizzes/<slug>": ("/quizzes/small", {}, ALL),
    "POST /quizzes/<slug>": (
        "/quizzes/small", {"data": {"question": "pairs", "answer": "1"}}, (303, 303, 303, 303, 303)
    ),
    "GET /api/v1/quizzes": ("/api/v1/quizzes", {}, ALL),
    "GET /api/v1/quizzes/<slug>": ("/api/v1/quizzes/small", {}, ALL),
    "POST /api/v1/quizzes/<slug>/answers": (
        "/api/v1/quizzes/small/answers", {"json": {"question": "pairs", "answer": "1"}}, (401, 200, 200, 200, 200)
    ),
    "GET /api/v1/submissions": ("/api/v1/submissions", {}, ALL),
    "POST /api/v1/submissions": (
        "/api/v1/submissions", {"json": {"problem": "double", "source": SOURCE}}, (401, 201, 201, 201, 201)
    ),
    "GET /api/v1/submissions/<int:submission_id>": ("/api/v1/submissions/{submission}", {}, OWN),
    "GET /api/v1/submissions/<int:submission_id>/source": ("/api/v1/submissions/{submission}/source", {}, OWN),
    "GET /api/v1/submissions/<int:submission_id>/events": ("/api/v1/submissions/{submission}/events", {}, OWN),
    "DELETE /api/v1/submissions/<int:submission_id>": (
        "/api/v1/submissions/{submission}", {}, (401, 404, 409, 404, 404)
    ),
    "GET /account": ("/account", {}, (303, 200, 200, 200, 200)),
    "POST /account/password": (
        "/account/password", {"data": {"current": "wrong one", "password": PASSWORD}}, (303, 401, 401, 401, 401)
    ),
    "POST /account/sessions": ("/account/sessions", {}, (303, 303, 303, 303, 303)),
    "POST /account/tokens": ("/account/tokens", {"data": {"name": "x"}}, (303, 200, 200, 200, 200)),
    "POST /account/tokens/<int:token_id>/revoke": ("/account/tokens/{token}/revoke", {}, (303, 404, 303, 404, 404)),
    "GET /class": ("/class", {}, TEACH),
    "GET /class/<int:account_id>": ("/class/{account}", {}, TEACH),
    "GET /accounts": ("/accounts", {}, (303, 403, 403, 403, 200)),
    "POST /accounts/<int:account_id>": (
        "/accounts/{account}", {"data": {"role": "instructor"}}, (303, 403, 403, 403, 303)
    ),
    "GET /sign-in": ("/sign-in", {}, (200, 303, 303, 303, 303)),
    "POST /sign-in": ("/sign-in", {"data": {"name": "ada", "password": "wrong one"}}, (401, 401, 401, 401, 401)),
    "POST /api/v1/sign-in": (
        "/api/v1/sign-in", {"json": {"name": "ada", "password": "wrong one"}}, (401, 401, 401, 401, 401)
    ),
    "GET /sign-up": ("/sign-up", {}, (200, 303, 303, 303, 303)),
    "POST /sign-up": ("/sign-up", {"data": {"name": "x", "password": "x"}}, (422, 422, 422, 422, 422)),
    "POST /sign-out": ("/sign-out", {}, (303, 303, 303, 303, 303)),
}  # fmt: skip


FOR_ALL = ("POST /language", "POST /theme", "POST /sign-out")


class School:
    """Ada has a draft, a token and a submission that is accepted; `asker` is who asks."""

    def __init__(self, folder: Path, role: str) -> None:
        self.judge = WebJudge(folder, options={"sign_in": "required"})
        write_quiz(self.judge.config.problems)
        store = self.judge.store
        ada = store.create_account("ada", PASSWORD)
        store.save_draft(ada.learner, "double", "ada's", None)
        submission = store.submit(learner=ada.learner, problem="double", source=SOURCE.encode())[0].submission
        self.judge.finish("AC")
        self.ids = {
            "submission": submission.id,
            "version": store.draft_versions(ada.learner, "double")[0].id,
            "token": store.create_token(ada.learner, "laptop")[0].id,
            "account": ada.id,
        }
        store.create_account("other", PASSWORD)
        store.create_account("instructor", PASSWORD, role="instructor")
        store.create_account("administrator", PASSWORD, role="administrator")
        self.asker = self.judge.client()
        if role != "anonymous":
            name = {"owner": "ada"}.get(role, role)
            form = {"name": name, "password": PASSWORD}
            assert self.asker.post("/sign-in", data=form, headers=self.csrf(self.asker)).status_code == 303

    def csrf(self, client: FlaskClient) -> dict[str, str]:
        return {"X-CSRFToken": client.get("/api/v1/session").json["csrf"]}

    def ask(self, route: str) -> tuple[int, str]:
        """Status, and where a redirect leads."""
        path, body, _ = TABLE[route]
        method = route.split()[0]
        headers = {} if method == "GET" else self.csrf(self.asker)
        with self.asker.open(path.format(**self.ids), method=method, headers=headers, **body) as answer:
            return answer.status_code, answer.headers.get("Location", "")


def test_every_route_is_in_the_table(tmp_path: Path) -> None:
    rules = WebJudge(tmp_path).app.url_map.iter_rules()
    routes = {
        f"{method} {rule}" for rule in rules for method in rule.methods or () if method not in ("HEAD", "OPTIONS")
    }
    assert routes == set(TABLE)


@pytest.mark.parametrize("role", ROLES)
def test_a_role_may_do_what_the_table_says(tmp_path: Path, role: str) -> None:
    school, wrong = School(tmp_path, role), []
    for route in TABLE:
        expected = TABLE[route][2][ROLES.index(role)]
        status, place = school.ask(route)
        to_sign_in = place.startswith("/sign-in")
        protected = role == "anonymous" and expected == 303 and route not in FOR_ALL
        if status != expected or to_sign_in != protected:
            wrong.append(f"{route}: {status} {place}, expected {expected}")
    assert wrong == []


def test_what_others_may_not_reach_is_unchanged(tmp_path: Path) -> None:
    school = School(tmp_path, "other")
    for route in TABLE:
        school.ask(route)
    store, ada = school.judge.store, school.judge.store.account_named("ada")
    assert ada is not None
    assert (ada.role, ada.epoch, ada.disabled) == ("learner", 0, False)
    draft = store.draft(ada.learner, "double")
    assert draft is not None
    assert draft.text == "ada's"
    assert len(store.tokens(ada.learner)) == len(store.submissions(ada.learner)) == 1
