"""What an asker may do, beyond their own work.

open        a view that everybody may use unsafely, also where sign-in is required: sign-in itself, the language
needs       a view for accounts only, from a role up
check       before every handler: other unsafe requests need a session that is not over, and an account where sign-in is
            required. A page says for which account it was made (X-Account): its late saves never reach another's drafts
readable    a submission that the asker may see: their own; for instructors those of the class
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from flask import current_app, request

from judge.store import Account, Role, SubmissionView
from web import identity, parts
from web.errors import Refused

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
RANK: dict[Role, int] = {"learner": 0, "instructor": 1, "administrator": 2}
P = ParamSpec("P")
R = TypeVar("R")


def open_to_all(view: Callable[P, R]) -> Callable[P, R]:
    """Marks a view."""
    view.open_to_all = True  # type: ignore[attr-defined]
    return view


def needs(role: Role) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Accounts of this role or a higher one, signed in with a password: a token does not count."""

    def make(view: Callable[P, R]) -> Callable[P, R]:
        @wraps(view)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            signed_in(role)
            return view(*args, **kwargs)

        return checked

    return make


def signed_in(role: Role = "learner") -> Account:
    """The account that asks. Raises Refused: 401 without one, 403 below the role."""
    asker = identity.asker()
    if asker.account is None or asker.by_token:
        raise Refused(401, "sign_in")
    if RANK[asker.account.role] < RANK[role]:
        raise Refused(403, "role")
    return asker.account


def check() -> None:
    """Raises Refused (401) for an unsafe request that needs an account, or a session that is not over."""
    view = current_app.view_functions.get(request.endpoint or "")
    if request.method in SAFE_METHODS or getattr(view, "open_to_all", False):
        return
    asker = identity.asker()
    made_for = request.headers.get("X-Account", "")
    if asker.ended or (made_for and made_for != str(asker.account.id if asker.account else "")):
        raise Refused(401, "session_ended")
    if asker.account is None and parts.config().sign_in_required:
        raise Refused(401, "sign_in")


def readable(submission_id: int) -> SubmissionView:
    """Raises Refused: 404 for another's, as if there were none; 401 when the session has ended."""
    if identity.asker().ended:
        raise Refused(401, "session_ended")
    view = parts.store().submission(submission_id) if submission_id < 2**63 else None
    if view is None or not (view.submission.learner == identity.learner() or _teaches(view.submission.learner)):
        raise Refused(404, "no_submission")
    return view


def _teaches(learner: str) -> bool:
    role = identity.asker().role
    owner = parts.store().account_of(learner) if role and RANK[role] >= RANK["instructor"] else None
    return owner is not None and owner.role == "learner"
