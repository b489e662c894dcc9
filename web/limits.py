"""How often one may do what costs. Counted in the database: a restart forgets nothing, all processes count together.

An honest learner never meets a limit. Every refusal (429) says after how many seconds it works again.
"""

from __future__ import annotations

import math
from ipaddress import IPv6Network, ip_address

from flask import request

from judge.store import Allowance
from judge.store.names import key_of
from web import identity, parts
from web.errors import Refused

MINUTE_S, HOUR_S = 60.0, 3600.0
FAILURES_OF_ONE, FAILURES_OF_NAME, FAILURES_OF_ADDRESS = 10, 100, 200
"""Wrong passwords: of one address for one name (10 minutes), of all for one name, of one address (an hour each)."""
SIGN_UPS = 60
"""Of one address in an hour: a whole class sits behind one."""
ANSWERS_A_MINUTE, ANSWERS_AN_HOUR = 60, 600
NEW_DRAFTS = 600
"""Problems begun without an account, of one address in an hour: each may hold some megabytes of versions."""
ADDRESS_FACTOR = 10
"""Learners without an account are made at will, so their address is counted too."""


def spend(allowances: list[Allowance], code: str) -> None:
    """Raises Refused (429) when one of them is used up."""
    wait_s = parts.store().spend(allowances)
    if wait_s is not None:
        seconds = max(1, math.ceil(wait_s))
        raise Refused(429, code, retry_s=seconds, seconds=seconds)


def room() -> None:
    """Raises Refused (503) while the queue is full: better no promise than one that is kept in an hour."""
    limit, state = parts.config().queue_limit, parts.feed().state()
    if limit and state.queued >= limit:
        wait_s = math.ceil((state.mean_s or 0.1) * (state.queued - limit + 1) / parts.config().worker_count)
        raise Refused(503, "queue_full", retry_s=max(5, wait_s), queued=state.queued)


def submissions() -> list[Allowance]:
    """Of the learner who asks: a burst and a sustained rate."""
    asker, config = identity.asker(), parts.config()
    keys = [(f"learner {asker.learner}", 1)]
    if asker.account is None:
        keys.append((f"address {address()}", ADDRESS_FACTOR))
    rates = [(config.submissions_per_minute, MINUTE_S), (config.submissions_per_hour, HOUR_S)]
    return [
        Allowance(f"submit {window_s:.0f} {key}", rate * factor, window_s)
        for key, factor in keys
        for rate, window_s in rates
        if rate > 0
    ]


def answers() -> list[Allowance]:
    """To questions, of the learner who asks: nobody thinks faster."""
    asker = identity.asker()
    keys = [(f"answer {asker.learner}", 1)]
    if asker.account is None:
        keys.append((f"answer address {address()}", ADDRESS_FACTOR))
    rates = [(ANSWERS_A_MINUTE, MINUTE_S), (ANSWERS_AN_HOUR, HOUR_S)]
    return [Allowance(f"{key} {s:.0f}", rate * factor, s) for key, factor in keys for rate, s in rates]


def new_drafts() -> list[Allowance]:
    """Of problems for which the learner who asks has none; none where there is an account."""
    if identity.asker().account is not None:
        return []
    return [Allowance(f"draft {address()}", NEW_DRAFTS, HOUR_S)]


def failures(name: str) -> list[Allowance]:
    """Wrong passwords for this name from where the request comes."""
    key, place = key_of(name)[:64], address()
    return [
        Allowance(f"password {place} {key}", FAILURES_OF_ONE, 10 * MINUTE_S),
        Allowance(f"password of {key}", FAILURES_OF_NAME, HOUR_S),
        Allowance(f"password {place}", FAILURES_OF_ADDRESS, HOUR_S),
    ]


def sign_ups() -> list[Allowance]:
    return [Allowance(f"sign-up {address()}", SIGN_UPS, HOUR_S)]


def address() -> str:
    """Where the request comes from. Of IPv6 the /64 network: whoever has one address of it has them all."""
    try:
        found = ip_address(request.remote_addr or "")
    except ValueError:
        return str(request.remote_addr)
    if found.version == 4:
        return str(found)
    return str(found.ipv4_mapped or IPv6Network((int(found) >> 64 << 64, 64)))
