"""Accounts: a name and a password that own a learner's work; roles; tokens for `judge submit`.

sign-up    the account takes the learner id that the browser had: its work is there at once
sign-in    work done in the browser before joins the account's (`join`): nothing is lost, nothing overwritten
           neither takes tokens along: whoever sat at the browser before may have made them
epoch      part of every session; raising it ends them all
"""

from __future__ import annotations

import hashlib
import secrets
import time
from dataclasses import fields
from typing import Any

from sqlalchemy import Connection, Select, bindparam, delete, exists, insert, select, update
from sqlalchemy.exc import IntegrityError

from judge.store import passwords
from judge.store.drafts import draft_of, keep_version, store_draft, thin_out
from judge.store.engine import Database
from judge.store.names import key_of
from judge.store.tables import account, answer, draft, draft_version, reveal, submission, token
from judge.store.values import Account, Draft, LastAdministrator, NameTaken, Role, Token

USED_EVERY_S = 60.0
TOKEN_PREFIX = "aj_"
ACCOUNT_COLUMNS = [account.c[field.name] for field in fields(Account)]
_account_by_id, _account_by_name, _account_by_learner = (
    select(*ACCOUNT_COLUMNS).where(column == bindparam("key"))
    for column in (account.c.id, account.c.name_key, account.c.learner)
)
_ABLE = account.c.role == "administrator", ~account.c.disabled
TOKEN_COLUMNS = [token.c[field.name] for field in fields(Token)]


class AccountRecords(Database):
    """What `Store` knows of accounts. Names and passwords are checked by the caller (`names`, `passwords`)."""

    def create_account(
        self, name: str, password: str, *, learner: str | None = None, role: Role = "learner"
    ) -> Account:
        """An account that owns `learner` (None: a new one). Raises NameTaken, also for a learner with an account."""
        values = {
            "name": name, "name_key": key_of(name), "password_hash": passwords.hashed(password), "role": role,
            "learner": learner or secrets.token_hex(8), "epoch": 0, "disabled": False, "created_at": time.time(),
        }  # fmt: skip
        try:
            with self.write() as connection:
                row = connection.execute(insert(account).returning(*ACCOUNT_COLUMNS), values).one()
                revoke_tokens(connection, row.learner)
        except IntegrityError:
            raise NameTaken(name) from None
        return Account(*row)

    def sign_in(self, name: str, password: str) -> Account | None:
        """The account, if name and password fit. As much work for a name that does not exist."""
        query = select(account.c.password_hash, *ACCOUNT_COLUMNS).where(account.c.name_key == key_of(name))
        with self.read() as connection:
            row = connection.execute(query).one_or_none()
        if not passwords.fits(row.password_hash if row else None, password) or row is None:
            return None
        found = Account(*row[1:])
        if passwords.outdated(row.password_hash):
            with self.write() as connection:
                change = update(account).where(account.c.id == found.id)
                connection.execute(change.values(password_hash=passwords.hashed(password)))
        return found

    def account(self, account_id: int) -> Account | None:
        return self._account(_account_by_id, account_id)

    def account_named(self, name: str) -> Account | None:
        return self._account(_account_by_name, key_of(name))

    def account_of(self, learner: str) -> Account | None:
        """The account that owns this learner's work."""
        return self._account(_account_by_learner, learner)

    def accounts(self, role: Role | None = None) -> list[Account]:
        """By name."""
        query = select(*ACCOUNT_COLUMNS).order_by(account.c.name_key)
        if role is not None:
            query = query.where(account.c.role == role)
        with self.read() as connection:
            return [Account(*row) for row in connection.execute(query)]

    def set_password(self, account_id: int, password: str) -> Account:
        """Ends all sessions. Raises LookupError."""
        return self._change(account_id, password_hash=passwords.hashed(password), epoch=account.c.epoch + 1)

    def end_sessions(self, account_id: int) -> Account:
        """Signed out everywhere. Raises LookupError."""
        return self._change(account_id, epoch=account.c.epoch + 1)

    def set_role(self, account_id: int, role: Role) -> Account:
        """Raises LastAdministrator, LookupError."""
        return self._change(account_id, role=role)

    def set_disabled(self, account_id: int, disabled: bool) -> Account:
        """A disabled account cannot sign in, and its sessions end. Raises LastAdministrator, LookupError."""
        return self._change(account_id, disabled=disabled, epoch=account.c.epoch + 1)

    def join(self, learner: str, owner: Account) -> None:
        """Work of a learner without an account becomes `owner`'s; what is another account's stays where it is."""
        if learner == owner.learner:
            return
        with self.write() as connection:
            if connection.scalar(select(account.c.id).where(account.c.learner == learner)) is None:
                join_work(connection, learner, owner.learner)

    def create_token(self, learner: str, name: str) -> tuple[Token, str]:
        """A token and its secret, which is not kept."""
        secret = TOKEN_PREFIX + secrets.token_urlsafe(32)
        values = {"learner": learner, "name": name, "secret_sha256": _digest(secret), "created_at": time.time()}
        with self.write() as connection:
            row = connection.execute(insert(token).returning(*TOKEN_COLUMNS), values).one()
        return Token(*row), secret

    def token(self, secret: str) -> Token | None:
        """The token with this secret, noted as used; None for one that is unknown or revoked."""
        query = select(*TOKEN_COLUMNS).where(token.c.secret_sha256 == _digest(secret), token.c.revoked_at.is_(None))
        with self.read() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            return None
        found, now = Token(*row), time.time()
        if found.last_used_at is None or now - found.last_used_at > USED_EVERY_S:
            with self.write(durable=False) as connection:
                connection.execute(update(token).where(token.c.id == found.id).values(last_used_at=now))
        return found

    def tokens(self, learner: str) -> list[Token]:
        """Those that are not revoked, newest first."""
        own = token.c.learner == learner, token.c.revoked_at.is_(None)
        with self.read() as connection:
            query = select(*TOKEN_COLUMNS).where(*own).order_by(token.c.id.desc())
            return [Token(*row) for row in connection.execute(query)]

    def revoke_token(self, learner: str, token_id: int) -> bool:
        """False for another learner's, or one that is revoked."""
        own = token.c.id == token_id, token.c.learner == learner, token.c.revoked_at.is_(None)
        with self.write() as connection:
            return connection.execute(update(token).where(*own).values(revoked_at=time.time())).rowcount == 1

    def _account(self, query: Select[Any], key: object) -> Account | None:
        with self.read() as connection:
            row = connection.execute(query, {"key": key}).one_or_none()
        return Account(*row) if row else None

    def _change(self, account_id: int, **values: object) -> Account:
        with self.write() as connection:
            able = select(account.c.id).where(*_ABLE).with_for_update()
            only = connection.scalars(able).all() == [account_id]
            change = update(account).where(account.c.id == account_id).values(**values).returning(*ACCOUNT_COLUMNS)
            row = connection.execute(change).one_or_none()
            if row is None:
                raise LookupError(f"there is no account {account_id}")
            changed = Account(*row)
            if only and (changed.role != "administrator" or changed.disabled):
                raise LastAdministrator
        return changed


def join_work(connection: Connection, source: str, target: str) -> None:
    """All records of the learner `source` become those of `target`."""
    twin = submission.alias("twin")
    same_press = exists().where(twin.c.learner == target, twin.c.client_id == submission.c.client_id)
    own = submission.c.learner == source
    connection.execute(update(submission).where(own, same_press).values(client_id=None))
    connection.execute(update(submission).where(own).values(learner=target))
    revoke_tokens(connection, source)
    connection.execute(update(token).where(token.c.learner == source).values(learner=target))
    connection.execute(update(answer).where(answer.c.learner == source).values(learner=target))
    seen = select(reveal.c.problem).where(reveal.c.learner == target)
    connection.execute(delete(reveal).where(reveal.c.learner == source, reveal.c.problem.in_(seen)))
    connection.execute(update(reveal).where(reveal.c.learner == source).values(learner=target))
    problems = select(draft.c.problem).where(draft.c.learner == source)
    for problem in connection.scalars(problems).all():
        _join_drafts(connection, source, target, problem)


def revoke_tokens(connection: Connection, learner: str) -> None:
    """All that the learner has."""
    own = token.c.learner == learner, token.c.revoked_at.is_(None)
    connection.execute(update(token).where(*own).values(revoked_at=time.time()))


def _join_drafts(connection: Connection, source: str, target: str, problem: str) -> None:
    """The target's draft stays where there is one; the other's texts become versions before it."""
    mine, theirs = draft_of(connection, target, problem), draft_of(connection, source, problem)
    own = draft_version.c.learner == source, draft_version.c.problem == problem
    connection.execute(update(draft_version).where(*own).values(learner=target))
    if theirs is None:
        return
    connection.execute(delete(draft).where(draft.c.learner == source, draft.c.problem == problem))
    moved = Draft(target, problem, theirs.text, theirs.etag, theirs.saved_at)
    if mine is None:
        store_draft(connection, moved, exists=False)
    elif mine.text != theirs.text:
        keep_version(connection, moved, "merged")
    thin_out(connection, target, problem)


def _digest(secret: str) -> str:
    """Tokens are long and random: a plain hash is enough."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
