"""Inputs that learners make: what does not fit is refused before it is stored, in words of `judge.messages`."""

from __future__ import annotations

from typing import Any

from judge.messages import describe
from judge.own_input import InputRefused, parse
from web import language
from web.errors import Refused


def check(given: dict[str, Any]) -> None:
    try:
        parse(given)
    except InputRefused as refused:
        raise Refused(422, "input", reason=describe(refused.finding, language.current())) from None
