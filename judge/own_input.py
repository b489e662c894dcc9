"""An input that a learner made, as it arrives: a JSON object, checked and bounded before anything is computed with it.

    {"arguments": {"q": TENSOR, "mask": null, "window": 3}, "call": "attention",
     "init": [8, 2], "seed": 0, "weights": {"W_q.weight": TENSOR}}

TENSOR is a nested list of numbers, or such a list with its dtype: `{"dtype": "float16", "values": [[1, "nan"]]}`; with
`shape` where it is empty. Only `arguments` is needed; `init`, `seed` and `weights` are for a module. No torch here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from judge.model import Finding

MOST_NUMBERS = 4096
MOST_AXES, MOST_SIZE = 6, 1024
MOST_ARGUMENTS = 32
LARGEST_INTEGER = 10**6
MOST_TEXT = 100
DTYPES = ("float32", "float64", "float16", "bfloat16", "int64", "int32", "bool")
WORDS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
KEYS = {"arguments", "call", "init", "seed", "weights"}
TENSOR_KEYS = {"values", "dtype", "shape"}


class InputRefused(Exception):
    """The finding says what does not fit, in words of `judge.messages`."""

    def __init__(self, code: str, **facts: Any) -> None:
        self.finding: Finding = {"code": code, **facts}
        super().__init__(str(self.finding))


@dataclass(frozen=True)
class Numbers:
    """A tensor to be: flat values, already of the right kind; `dtype` None: that of the problem's own inputs."""

    shape: tuple[int, ...]
    values: tuple[float | int | bool, ...]
    dtype: str | None


@dataclass(frozen=True)
class OwnInput:
    """`call`: None for the only name of the problem. Arguments are Numbers, plain values, or lists of these."""

    arguments: dict[str, Any]
    call: str | None = None
    init: tuple[Any, ...] = ()
    seed: int = 0
    weights: dict[str, Numbers] = field(default_factory=dict)


def parse(given: Any) -> OwnInput:
    """Raises InputRefused."""
    if not isinstance(given, dict) or not isinstance(given.get("arguments"), dict):
        raise InputRefused("input_no_arguments")
    for key in given:
        if _name(key) not in KEYS:
            raise InputRefused("input_unknown_key", name=key)
    reader = _Reader()
    arguments = {_name(key): reader.value(_name(key), value) for key, value in given["arguments"].items()}
    init = given.get("init") or []
    if not isinstance(init, list) or len(init) > MOST_ARGUMENTS:
        raise InputRefused("input_value", name="init")
    made = tuple(reader.plain("init", value) for value in init)
    weights = given.get("weights") or {}
    if not isinstance(weights, dict) or len(arguments) + len(weights) > MOST_ARGUMENTS:
        raise InputRefused("input_too_large", limit=MOST_NUMBERS)
    loaded = {_name(key): reader.tensor(_name(key), value) for key, value in weights.items()}
    call, seed = given.get("call"), given.get("seed") or 0
    call = None if call is None else _name(call)
    if type(seed) is not int or not 0 <= seed < 1 << 31:
        raise InputRefused("input_value", name="seed")
    return OwnInput(arguments, call, made, seed, loaded)


def _name(key: Any) -> str:
    if not isinstance(key, str) or len(key) > MOST_TEXT or not key.isprintable():
        raise InputRefused("input_unknown_key", name="?")
    return key


class _Reader:
    """Counts the numbers of a whole input."""

    def __init__(self) -> None:
        self.left = MOST_NUMBERS

    def value(self, name: str, value: Any) -> Any:
        return self.tensor(name, value) if isinstance(value, (list, dict)) else self.plain(name, value)

    def plain(self, name: str, value: Any) -> Any:
        self._take(1)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str) and value in WORDS:
            return WORDS[value]
        if type(value) is int and abs(value) <= LARGEST_INTEGER:
            return value
        if isinstance(value, float) and math.isfinite(value):
            return value
        raise InputRefused("input_value", name=name)

    def tensor(self, name: str, value: Any) -> Numbers:
        facts = value if isinstance(value, dict) else {"values": value}
        dtype = facts.get("dtype")
        told = facts.get("shape") or []
        if set(facts) - TENSOR_KEYS or "values" not in facts or not _is_shape(told):
            raise InputRefused("input_value", name=name)
        if dtype is not None and dtype not in DTYPES:
            raise InputRefused("input_dtype", name=name, known=", ".join(DTYPES))
        nested = shape = _shape(name, facts["values"])
        if 0 in shape and 0 in told:
            shape = tuple(told)
        if len(shape) > MOST_AXES or max(shape, default=0) > MOST_SIZE:
            raise InputRefused("input_shape", name=name, axes=MOST_AXES, size=MOST_SIZE)
        self._take(math.prod(shape))
        values = tuple(_number(name, one) for one in _flat(name, facts["values"], nested))
        return Numbers(shape, values, dtype)

    def _take(self, numbers: int) -> None:
        self.left -= numbers
        if self.left < 0:
            raise InputRefused("input_too_large", limit=MOST_NUMBERS)


def _is_shape(told: Any) -> bool:
    fits = isinstance(told, list) and len(told) <= MOST_AXES
    return fits and all(type(size) is int and 0 <= size <= MOST_SIZE for size in told)


def _shape(name: str, values: Any) -> tuple[int, ...]:
    shape: list[int] = []
    while isinstance(values, list):
        shape.append(len(values))
        if len(shape) > MOST_AXES:
            raise InputRefused("input_shape", name=name, axes=MOST_AXES, size=MOST_SIZE)
        values = values[0] if values else None
    return tuple(shape)


def _flat(name: str, values: Any, shape: tuple[int, ...]) -> Iterator[Any]:
    if not shape:
        yield values
        return
    if not isinstance(values, list) or len(values) != shape[0]:
        raise InputRefused("input_ragged", name=name)
    for value in values:
        yield from _flat(name, value, shape[1:])


def _number(name: str, value: Any) -> float | int | bool:
    if isinstance(value, str) and value in WORDS:
        return WORDS[value]
    if isinstance(value, bool) or (type(value) is int and abs(value) <= LARGEST_INTEGER):
        return bool(value) if isinstance(value, bool) else int(value)
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise InputRefused("input_ragged" if isinstance(value, list) else "input_value", name=name)
