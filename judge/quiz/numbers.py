"""A number as people type it: `1,048,576`, `1_000`, `2^20`, `3*4096`, `1e6`, `0.5 MiB`, `12 %`."""

from __future__ import annotations

import re

from judge.model import Text
from judge.quiz.formula import CONSTANTS, FormulaError, parse, plain, value
from judge.quiz.values import Number

GROUPS = re.compile(r"(?<![\d.,])\d{1,3}(?:([ ,])\d{3})(?:\1\d{3})*(?![\d,])")
UNIT = re.compile(r"(?<=[\d) ])([^\W\d_][^\d()+*^]*|%)$")
BEFORE = re.compile(r"^(?:about|approx\.?|约|大约|[≈~=])\s*", re.IGNORECASE)
PREFIXES = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}


def read_number(text: str, unit: Text | None) -> list[Number]:
    """What the text may mean, in the question's unit: `128 KB` means 1000s, and to many people 1024s.

    Raises FormulaError.
    """
    digits = BEFORE.sub("", plain(text))
    digits = GROUPS.sub(lambda found: re.sub("[ ,]", "", found[0]), digits)
    factors: list[float] = [1]
    found = UNIT.search(digits)
    if found and found[1].lower() not in CONSTANTS:
        factors = _factors(found[1].strip(), unit)
        digits = digits[: found.start()]
    try:
        number = value(parse(digits))
    except FormulaError as error:
        if error.finding["code"] in ("formula_name", "formula_call"):
            raise FormulaError("number_only") from None
        raise
    return [number if factor == 1 else number * factor for factor in factors]


def is_bytes(unit: Text | None) -> bool:
    return unit is not None and _scale(unit.en, "b") is not None


def _factors(given: str, unit: Text | None) -> list[float]:
    """How many of the question's units the given one is."""
    known = {name.casefold() for name in (unit.en, unit.zh or unit.en)} if unit else set()
    word = given.casefold()
    if word in known or (word.rstrip("s") in {name.rstrip("s") for name in known}):
        return [1]
    for base in ("b", "flops") if unit else ():
        asked, offered = _scale(unit.en, base), _scale(word, base)  # type: ignore[union-attr]
        if asked and offered:
            return list(dict.fromkeys(factor / asked[0] for factor in offered))
    wanted = f"{unit.en}" if unit else ""
    raise FormulaError("number_unit" if wanted else "number_only", unit=given[:20], wanted=wanted)


def _scale(word: str, base: str) -> list[float] | None:
    """`kib` -> [1024], `kb` -> [1000, 1024], `gflops` -> [1e9]; None for another base."""
    word = word.casefold()
    for name in ("bytes", "byte", "字节", "b") if base == "b" else ("flops", "flop", "次浮点运算"):
        if word.endswith(name) or (word in PREFIXES and word):
            prefix = word.removesuffix(name)
            binary = prefix.endswith("i") and base == "b"
            power = PREFIXES.get(prefix.removesuffix("i") if binary else prefix)
            if power is not None:
                if binary:
                    return [1024.0**power]
                return [1000.0**power, 1024.0**power] if base == "b" and power else [1000.0**power]
    return None
