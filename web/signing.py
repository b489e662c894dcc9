"""Signing in and up, for the pages and the API: the rules, the limits, and then `identity.sign_in`."""

from __future__ import annotations

from judge.store import Account, NameTaken, names, passwords
from web import identity, limits, parts
from web.errors import Refused


def sign_in(name: str, password: str) -> Account:
    """Raises Refused: 401 for a wrong name or password, 403 for a disabled account, 429 after too many failures."""
    failures = limits.failures(name)
    limits.spend(failures, "too_many_failures")
    account = parts.store().sign_in(name, password)
    if account is None:
        raise Refused(401, "credentials")
    parts.store().refund(failures)
    if account.disabled:
        raise Refused(403, "disabled")
    identity.sign_in(account)
    return account


def sign_up(name: str, password: str) -> Account:
    """An account that owns what the browser did so far. Raises Refused: 422 for name or password, 409, 429."""
    cleaned = names.cleaned(name)
    if cleaned is None:
        raise Refused(422, "name")
    check_password(password, cleaned)
    limits.spend(limits.sign_ups(), "too_many_accounts")
    asker = identity.asker()
    own = asker.learner if asker.account is None and not asker.ended else None
    try:
        account = parts.store().create_account(cleaned, password, learner=own)
    except NameTaken:
        raise Refused(409, "name_taken") from None
    identity.sign_in(account)
    return account


def change_password(account: Account, current: str, new: str) -> Account:
    """Ends all other sessions. Raises Refused: 401, 422, 429."""
    check_password(new, account.name)
    failures = limits.failures(account.name)
    limits.spend(failures, "too_many_failures")
    if parts.store().sign_in(account.name, current) is None:
        raise Refused(401, "current_password")
    parts.store().refund(failures)
    changed = parts.store().set_password(account.id, new)
    identity.sign_in(changed)
    return changed


def check_password(password: str, name: str) -> None:
    fault = passwords.problem_with(password, name)
    if fault == "short":
        raise Refused(422, "password_short", limit=passwords.MIN_LENGTH)
    if fault == "long":
        raise Refused(422, "password_long", limit=passwords.MAX_LENGTH)
    if fault == "common":
        raise Refused(422, "password_common")
