"""What problem.toml may hold, and what is wrong with one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from judge.model import STAGES, ProblemLimits

TOP_KEYS: dict[str, Any] = {
    "title": str, "difficulty": str, "tags": list, "order": int, "time_limit_s": (int, float), "memory_mb": int,
    "forbidden": list, "axes": dict, "stage": str, "builds_on": list, "explorer": str, "zh": dict,
}  # fmt: skip
ZH_KEYS: dict[str, Any] = {"title": str, "cases": dict, "mistakes": dict}
KINDS = {str: "a string", list: "a list of strings", int: "a whole number", (int, float): "a number", dict: "a table"}
EXPLORER = re.compile(r"(masks|lookup|cost)(\?[a-zA-Z0-9_=&.-]*)?")
AXES = ("batch", "head", "query", "key", "token", "feature", "row", "column", "block")
"""Words that `axes` may use; `judge.captions` has them in both languages."""


def fault(settings: dict[str, Any]) -> str | None:
    """All keys that are unknown or of the wrong kind; if there are none, the first value that cannot be."""
    faults = list(_key_faults("", settings, TOP_KEYS))
    if isinstance(settings.get("zh"), dict):
        faults += _key_faults("zh.", settings["zh"], ZH_KEYS)
    return "; ".join(faults) or next(_value_faults(settings), None)


def limits(settings: dict[str, Any]) -> ProblemLimits:
    usual = ProblemLimits()
    return ProblemLimits(
        float(settings.get("time_limit_s", usual.time_limit_s)), settings.get("memory_mb", usual.memory_mb)
    )


def _key_faults(prefix: str, table: dict[str, Any], allowed: dict[str, Any]) -> Iterator[str]:
    for key, value in table.items():
        kind = allowed.get(key)
        if kind is None:
            yield f"key `{prefix}{key}` is unknown; known keys: {', '.join(allowed)}"
            continue
        strings = kind is list and not all(isinstance(item, str) for item in value if isinstance(value, list))
        texts = kind is dict and prefix and not all(isinstance(item, str) for item in value.values())
        if not isinstance(value, kind) or isinstance(value, bool) or strings or texts:
            yield f"key `{prefix}{key}` is {value!r}, expected {KINDS[kind]}"


def _value_faults(settings: dict[str, Any]) -> Iterator[str]:
    for key in ("title", "difficulty"):
        if not settings.get(key):
            yield f"key `{key}` is missing, expected {KINDS[TOP_KEYS[key]]}"
    if settings["difficulty"] not in ("easy", "medium", "hard"):
        yield f"key `difficulty` is {settings['difficulty']!r}, expected easy, medium or hard"
    if settings.get("stage", STAGES[0]) not in STAGES:
        yield f"key `stage` is {settings['stage']!r}, expected one of {', '.join(STAGES)}"
    if not EXPLORER.fullmatch(settings.get("explorer", "masks")):
        yield f"key `explorer` is {settings['explorer']!r}, expected such as 'masks?kind=window&w=3'"
    found = limits(settings)
    if not 0 < found.time_limit_s <= 60:
        yield "key `time_limit_s` must be more than 0 and at most 60 seconds"
    for name, words in settings.get("axes", {}).items():
        if not isinstance(words, str) or not set(words.split()) <= set(AXES):
            yield f"key `axes.{name}` is {words!r}, expected words of: {', '.join(AXES)}"
    if not 16 <= found.memory_mb <= 16384:
        yield "key `memory_mb` must be between 16 and 16384"
