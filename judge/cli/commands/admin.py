"""`judge admin ACTION [NAME]`: accounts, and the upkeep of records and workers."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from judge import config
from judge.cli import upkeep
from judge.cli.app import argument, json_option, option
from judge.cli.app import command as judge_command
from judge.cli.errors import Refusal
from judge.cli.layout import columns, padded
from judge.cli.results import print_json
from judge.cli.terminal import visible
from judge.cli.words import say

if TYPE_CHECKING:
    from judge.store import Account, Store

CHANGED = {
    "set-role": "account_role",
    "reset-password": "account_password",
    "disable": "account_disabled",
    "enable": "account_enabled",
}
"""What is said after an action on an account."""
WEAK = {"short": "password_short", "long": "password_long", "common": "password_common"}


NAMELESS = ("list-users", "migrate", "workers", "prune")
UPKEEP = ("migrate", "workers", "drain", "rejudge", "prune", "backup", "restore")
YEAR_DAYS = 365


@judge_command("admin")
@argument("action", type=click.Choice(["create-user", "list-users", *CHANGED, *UPKEEP]))
@argument("name", required=False)
@option("--role", type=click.Choice(["learner", "instructor", "administrator"]), help="role")
@option("--password-stdin", is_flag=True, help="password_stdin")
@option("--days", type=click.IntRange(1), default=YEAR_DAYS, help="days")
@option("--yes", is_flag=True, help="yes")
@json_option
def command(
    action: str, name: str | None, role: str | None, password_stdin: bool, days: int, yes: bool, as_json: bool
) -> None:
    from judge.store import LastAdministrator, Store, StoreError

    if name is None and action not in NAMELESS:
        raise Refusal("missing_argument", name="NAME")
    if role is None and action == "set-role":
        raise Refusal("missing_argument", name="--role")
    ask = _from_stdin if password_stdin else _from_terminal
    settings = config.load()
    if action == "restore":
        upkeep.restore(settings, Path(name or ""))
        return
    try:
        store = Store.open(settings.database)
    except StoreError as error:
        raise Refusal("plain", message=error) from None
    try:
        if action in UPKEEP:
            _keep_up(store, settings, action, name or "", days, yes, as_json)
        elif action == "list-users":
            _list(store.accounts(), as_json)
        elif action == "create-user":
            _create(store, name or "", role or "learner", ask)
        else:
            _change(store, _named(store, name or ""), action, role, ask)
    except LastAdministrator:
        raise Refusal("last_administrator") from None
    except StoreError as error:
        raise Refusal("plain", message=error) from None
    finally:
        store.close()


def _keep_up(
    store: Store, settings: config.Config, action: str, name: str, days: int, really: bool, as_json: bool
) -> None:
    if action == "migrate":
        upkeep.migrate(store)
    elif action == "workers":
        upkeep.workers(store, as_json)
    elif action == "drain":
        upkeep.drain(store, name)
    elif action == "backup":
        upkeep.backup(store, Path(name))
    elif action == "prune":
        upkeep.prune(store, days, really)
    else:
        upkeep.rejudge(store, settings, name, really)


def _list(accounts: list[Account], as_json: bool) -> None:
    if as_json:
        print_json({"accounts": [{"name": a.name, "role": a.role, "disabled": a.disabled} for a in accounts]})
        return
    width = max([columns(account.name) for account in accounts], default=0) + 2
    for account in accounts:
        print(f"{padded(account.name, width)}{account.role}{' ' + say('is_disabled') if account.disabled else ''}")


def _create(store: Store, name: str, role: str, ask: Callable[[], str]) -> None:
    from judge.store import NameTaken, names

    cleaned = names.cleaned(name)
    if cleaned is None:
        raise Refusal("bad_name", name=visible(name))
    if store.account_named(cleaned):
        raise Refusal("name_taken", name=cleaned)
    try:
        made = store.create_account(cleaned, _fine(ask(), cleaned), role=role)  # type: ignore[arg-type]
    except NameTaken:
        raise Refusal("name_taken", name=cleaned) from None
    print(say("account_made", name=made.name, role=made.role))


def _change(store: Store, account: Account, action: str, role: str | None, ask: Callable[[], str]) -> None:
    if action == "set-role":
        store.set_role(account.id, role)  # type: ignore[arg-type]
    elif action == "reset-password":
        store.set_password(account.id, _fine(ask(), account.name))
        for token in store.tokens(account.learner):
            store.revoke_token(account.learner, token.id)
    else:
        store.set_disabled(account.id, action == "disable")
    print(say(CHANGED[action], name=account.name, role=role))


def _named(store: Store, name: str) -> Account:
    account = store.account_named(name)
    if account is None:
        raise Refusal("no_account", name=visible(name))
    return account


def _fine(password: str, name: str) -> str:
    from judge.store import passwords

    fault = passwords.problem_with(password, name)
    if fault:
        raise Refusal(WEAK[fault])
    return password


def _from_stdin() -> str:
    """The first line."""
    return sys.stdin.readline().rstrip("\r\n")


def _from_terminal() -> str:
    import getpass

    password = getpass.getpass(say("password"))
    if getpass.getpass(say("password_again")) != password:
        raise Refusal("passwords_differ")
    return password
