"""Limits that hold across processes and restarts: how often a key was used in the window that its first use began."""

from __future__ import annotations

import time
from collections.abc import Sequence

from sqlalchemy import case, delete, insert, select, update

from judge.store.engine import Database
from judge.store.tables import allowance
from judge.store.values import Allowance


class AllowanceRecords(Database):
    """What `Store` counts against abuse."""

    def spend(self, allowances: Sequence[Allowance], now: float | None = None) -> float | None:
        """Counts one use of each key. When one is used up nothing is counted: seconds until it can be used again."""
        if not allowances:
            return None
        now = time.time() if now is None else now
        with self.write(durable=False) as connection:
            connection.execute(delete(allowance).where(allowance.c.ends_at <= now))
            query = select(allowance).where(allowance.c.key.in_([a.key for a in allowances]))
            used = {key: (count, ends_at) for key, count, ends_at in connection.execute(query)}
            waits = [used[a.key][1] - now for a in allowances if a.key in used and used[a.key][0] >= a.limit]
            if waits:
                return float(max(waits))
            for a in allowances:
                if a.key in used:
                    change = update(allowance).where(allowance.c.key == a.key).values(count=allowance.c.count + 1)
                    connection.execute(change)
                else:
                    connection.execute(insert(allowance), {"key": a.key, "count": 1, "ends_at": now + a.window_s})
        return None

    def refund(self, allowances: Sequence[Allowance]) -> None:
        """Takes one use of each key back."""
        fewer = case((allowance.c.count > 0, allowance.c.count - 1), else_=0)
        with self.write(durable=False) as connection:
            keys = [a.key for a in allowances]
            connection.execute(update(allowance).where(allowance.c.key.in_(keys)).values(count=fewer))
