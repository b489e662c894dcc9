"""One result against one expected value, and many calls against the reference, in one frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from judge.calls import Call, Outcome, perform
from judge.compare import CheckFailed, compare, observe


def assert_close(got: Any, expected: Any, *, tolerance: float | None = None, of: str = "result") -> None:
    """Type, shape, dtype, then values: `|got - expected| <= tolerance * (1 + |expected|)`.

    `expected` is a tensor, a number, or a tuple, list or dict of them; `of` names the part in the message:
    "result", "gradient of q". NaN is wrong where a number is expected.
    """
    observe(got, expected, of)
    compare(got, expected, tolerance, of)


def assert_equal(got: Any, expected: Any, *, of: str = "result") -> None:
    """Type, shape, dtype and every element exactly: for masks, positions and counts."""
    observe(got, expected, of)
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
    names = names or _argument_names(reference)
    wanted = [_reference_outcome(reference, arguments, gradients, number) for number, arguments in enumerate(calls)]
    asked = [
        Call(arguments, cotangents=outcome.cotangents if gradients else None)
        for arguments, outcome in zip(calls, wanted, strict=True)
    ]
    for call, want, got in zip(asked, wanted, perform(function, asked), strict=True):
        inputs = {names[n] if n < len(names) else str(n): value for n, value in enumerate(call.arguments)}
        observe(got.value, want.value, "result", inputs)
        compare(got.value, want.value, tolerance, "result")
        if gradients:
            _compare_gradients(got, want, call.arguments, names, tolerance)


def _argument_names(function: Callable[..., Any]) -> list[str]:
    code = getattr(function, "__code__", None) or getattr(getattr(function, "forward", None), "__code__", None)
    if code is None:
        return []
    found = list(code.co_varnames[: code.co_argcount])
    return found[1:] if found[:1] == ["self"] else found


def _reference_outcome(
    reference: Callable[..., Any], arguments: tuple[Any, ...], gradients: bool, seed: int
) -> Outcome:
    if not gradients:
        return perform(reference, [Call(arguments)])[0]
    generator = torch.Generator().manual_seed(1000 + seed)
    return perform(reference, [Call(arguments, cotangents=generator)])[0]


def _compare_gradients(
    got: Outcome, want: Outcome, arguments: tuple[Any, ...], names: Sequence[str], tolerance: float | None
) -> None:
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
