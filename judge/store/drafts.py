"""Unsent text of the editor. Each text that was saved stays readable as a version, up to a number per problem.

save ─▶ draft (one per learner and problem) and its newest version
            typed on within VERSION_S of the version's beginning: that version goes along
            later, or reset, restored, uploaded: another version
        conflict ─▶ the refused text becomes a version too: both sides of it are in the history
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from judge.store.engine import Database, storable
from judge.store.tables import draft, draft_version
from judge.store.values import Draft, DraftConflict, DraftReason, DraftVersion

ANY_DRAFT = "*"
VERSION_S = 30.0
MAX_VERSIONS = 50
DRAFT_COLUMNS = [draft.c[field.name] for field in fields(Draft)]
VERSION_COLUMNS = [draft_version.c[field.name] for field in fields(DraftVersion)]


class DraftRecords(Database):
    """The editor's part of `Store`."""

    def draft(self, learner: str, problem: str) -> Draft | None:
        """The saved text of the editor."""
        with self.read() as connection:
            return draft_of(connection, learner, problem)

    def save_draft(
        self, learner: str, problem: str, text: str, if_match: str | None, reason: DraftReason = "typed"
    ) -> Draft:
        """Saves the text over the draft with the etag `if_match`; None: over no draft, "*": over any.

        Raises DraftConflict if another draft is stored, unless its text is the same. The refused text is then a
        version.
        """
        new = Draft(learner, problem, storable(text), etag_of(text), time.time())
        with self.write() as connection:
            current = draft_of(connection, learner, problem)
            if current and current.etag == new.etag:
                return current
            refused = if_match not in (ANY_DRAFT, current.etag if current else None)
            if refused:
                keep_version(connection, new, "conflict")
            else:
                if current and not _is_kept(connection, current):
                    keep_version(connection, current, "typed")
                keep_version(connection, new, reason)
                store_draft(connection, new, current is not None)
        if refused:
            raise DraftConflict(current)
        return new

    def draft_versions(self, learner: str, problem: str) -> list[DraftVersion]:
        """The texts that were kept, newest first; the first is the draft itself, unless a conflict came after it."""
        query = select(*VERSION_COLUMNS).where(*_of(learner, problem)).order_by(draft_version.c.id.desc())
        with self.read() as connection:
            return [DraftVersion(*row) for row in connection.execute(query)]

    def version_text(self, learner: str, version_id: int) -> str | None:
        """The text of one version; None for another learner's or one that was thinned out."""
        query = select(draft_version.c.text).where(draft_version.c.id == version_id, draft_version.c.learner == learner)
        with self.read() as connection:
            text: str | None = connection.scalar(query)
            return text


def etag_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def store_draft(connection: Connection, new: Draft, exists: bool) -> None:
    """Writes the row of the draft."""
    values = {"text": new.text, "etag": new.etag, "saved_at": new.saved_at}
    if exists:
        change = update(draft).where(draft.c.learner == new.learner, draft.c.problem == new.problem)
        connection.execute(change.values(values))
    else:
        connection.execute(insert(draft), values | {"learner": new.learner, "problem": new.problem})


def keep_version(connection: Connection, kept: Draft, reason: DraftReason) -> None:
    """Makes the text the newest version, unless it is that already; thins out what is then too much."""
    of = _of(kept.learner, kept.problem)
    newest = connection.execute(select(draft_version).where(*of).order_by(draft_version.c.id.desc()).limit(1)).first()
    if newest and newest.text == kept.text:
        return
    values = {"text": kept.text, "bytes": len(kept.text.encode()), "saved_at": kept.saved_at}
    if newest and reason == newest.reason == "typed" and kept.saved_at - newest.begun_at < VERSION_S:
        connection.execute(update(draft_version).where(draft_version.c.id == newest.id).values(values))
        return
    values |= {"learner": kept.learner, "problem": kept.problem, "reason": reason, "begun_at": kept.saved_at}
    connection.execute(insert(draft_version), values)
    thin_out(connection, kept.learner, kept.problem)


def thin_out(connection: Connection, learner: str, problem: str) -> None:
    """Drops versions over MAX_VERSIONS: those closest together for their age, typed ones first, never the ends."""
    query = select(draft_version.c.id, draft_version.c.reason, draft_version.c.saved_at)
    rows = list(connection.execute(query.where(*_of(learner, problem)).order_by(draft_version.c.id)))
    dropped = []
    while len(rows) > MAX_VERSIONS:
        place = _least_missed(rows)
        dropped.append(rows.pop(place).id)
    if dropped:
        connection.execute(delete(draft_version).where(draft_version.c.id.in_(dropped)))


def _least_missed(rows: Sequence[Any]) -> int:
    now = rows[-1].saved_at + 1

    def missed(place: int) -> tuple[bool, float]:
        gap = rows[place + 1].saved_at - rows[place - 1].saved_at
        return rows[place].reason != "typed", gap / max(1.0, now - rows[place].saved_at)

    return min(range(1, len(rows) - 1), key=missed)


def _is_kept(connection: Connection, current: Draft) -> bool:
    """Whether a version has this text; drafts that are older than the versions have none."""
    same = *_of(current.learner, current.problem), draft_version.c.text == current.text
    return connection.scalar(select(draft_version.c.id).where(*same).limit(1)) is not None


def _of(learner: str, problem: str) -> tuple[ColumnElement[bool], ...]:
    return draft_version.c.learner == learner, draft_version.c.problem == problem


def draft_of(connection: Connection, learner: str, problem: str) -> Draft | None:
    row = connection.execute(
        select(*DRAFT_COLUMNS).where(draft.c.learner == learner, draft.c.problem == problem)
    ).one_or_none()
    return Draft(*row) if row else None
