"""One result against one expected value, and many calls against the reference, in one frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

from judge.compare import CheckFailed, compare, observe
from judge.model import Finding
from judge.remote.calls import Call, Outcome, argument_names, perform


def assert_close(got: Any, expected: Any, *, tolerance: float | None = None, of: str = "result") -> None:
    """Type, shape, dtype, then values: `|got - expected| <= tolerance * (1 + |expected|)`.

    `expected` is a tensor, a number, or a tuple, list or dict of them; `of` names the part in the message:
    "result", "gradient of q". NaN is wrong where a number is expected.
    """
    observe(got, expected, of, tolerance=tolerance)
    compare(got, expected, tolerance, of)


def assert_equal(got: Any, expected: Any, *, of: str = "result") -> None:
    """Type, shape, dtype and every element exactly: for masks, positions and counts."""
    observe(got, expected, of, tolerance=0.0)
    compare(got, expected, 0.0, of)


def check(condition: bool, en: str, zh: str | None = None) -> None:
    """A rule of the author's own, with its sentence in one or both languages."""
    if not condition:
        raise CheckFailed("text", en=en, zh=zh or en)


def assert_same(
    function: Callable[..., Any],
    reference: Callable[..., Any],
    *calls: tuple[Any, ...],
    gradients: bool = False,
    tolerance: float | None = None,
    names: Sequence[str] = (),
) -> None:
    """Each of `calls` (a tuple of arguments) gives what the reference gives; all of them travel in one frame.

    With `gradients`, one backward pass per call with random cotangents compares the gradient of every float
    argument too, and for modules of every parameter. `names` are the arguments' names for messages ("q", "k", "v");
    by default those of the reference.
    """
    asked = [
        Call(arguments, cotangents=torch.Generator().manual_seed(1000 + number) if gradients else None)
        for number, arguments in enumerate(calls)
    ]
    expected = [Expected(call, perform(reference, [call])[0]) for call in asked]
    assert_expected(function, expected, names or argument_names(reference), tolerance)


@dataclass(frozen=True)
class Expected:
    """A call and what should come of it; cotangents that a generator drew are taken from the outcome.

    `frame` is put around a finding, for instance `{"code": "again"}`. `tolerance` of the result and `gradients` of all
    gradients hold where a check names none.
    """

    call: Call
    outcome: Outcome
    frame: Finding | None = None
    tolerance: float | None = None
    gradients: float | None = None


def assert_expected(
    function: Callable[..., Any], expected: Sequence[Expected], names: Sequence[str], tolerance: float | None = None
) -> None:
    """Makes all calls in one frame; what comes must be what is expected, gradients where cotangents are given."""
    asked = [
        replace(e.call, cotangents=e.outcome.cotangents) if e.call.cotangents is not None else e.call for e in expected
    ]
    for call, want, got in zip(asked, expected, perform(function, asked), strict=True):
        try:
            _compare_outcomes(call, want, got, names, tolerance)
        except CheckFailed as error:
            if want.frame is None:
                raise
            facts = {key: value for key, value in want.frame.items() if key != "code"}
            raise CheckFailed(want.frame["code"], inner=error.finding, **facts) from None


def _compare_outcomes(
    call: Call, expected: Expected, got: Outcome, names: Sequence[str], tolerance: float | None
) -> None:
    inputs = {names[n] if n < len(names) else str(n): value for n, value in enumerate(call.arguments)}
    want = expected.outcome
    of_values = expected.tolerance if tolerance is None else tolerance
    observe(got.value, want.value, "result", inputs, of_values)
    compare(got.value, want.value, of_values, "result")
    if call.cotangents is not None:
        _compare_gradients(got, want, names, expected.gradients if tolerance is None else tolerance)


def _compare_gradients(got: Outcome, want: Outcome, names: Sequence[str], tolerance: float | None) -> None:
    if got.detached:
        raise CheckFailed("detached", of="result")
    labels = {n: names[n] if n < len(names) else f"argument {n}" for n in want.gradients}
    pairs = [(labels[n], got.gradients.get(n), wanted) for n, wanted in want.gradients.items()]
    pairs += [(name, got.parameters.get(name), wanted) for name, wanted in want.parameters.items()]
    for name, found, wanted in pairs:
        if wanted is None:
            continue
        if found is not None:
            compare(found, wanted, tolerance, f"gradient of {name}")
        elif bool(wanted.any()):
            raise CheckFailed("gradient_missing", of=f"gradient of {name}")
