"""What authors of tests import: checks that hold for the stand-in and for a plain module alike.

    assert_close, assert_equal          one result against one expected value
    assert_same                         many calls in one frame, values and gradients, against the reference
    assert_independent                  what must not influence what: change some inputs, look at some outputs
    assert_no_gradient                  the same through the Jacobian
    assert_layouts                      strided, expanded and aliased inputs
    assert_not_used                     forbidden functions, looked for while the call runs
    load_weights, assert_same_module    modules: weights by name, values, gradients of input and weights
    cast, spread                        inputs of another dtype; inputs of a large spread

A failed check raises `CheckFailed` with a finding (data, see `judge.messages`); it never shows an expected value.
Tolerances follow the dtype of the result: float64 1e-10, float32 1e-5, float16 5e-3, bfloat16 3e-2, relative and absolute.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from judge.calls import Call, Outcome, perform
from judge.model import Finding

TOLERANCE = {torch.float64: 1e-10, torch.float32: 1e-5, torch.float16: 5e-3, torch.bfloat16: 3e-2}


class CheckFailed(AssertionError):
    """A wrong answer. `finding` says what is wrong as data."""

    def __init__(self, code: str, **facts: Any) -> None:
        self.finding: Finding = {"code": code, **facts}
        super().__init__(str(self.finding))


@dataclass(frozen=True)
class Comparison:
    """Seen by the grader in sample cases: what went in, what came back, what was expected."""

    arguments: tuple[Any, ...]
    got: Any
    expected: Any
    of: str


observed: ContextVar[list[Comparison] | None] = ContextVar("observed", default=None)


def _observe(arguments: tuple[Any, ...], got: Any, expected: Any, of: str) -> None:
    seen = observed.get()
    if seen is not None:
        seen.append(Comparison(arguments, got, expected, of))


def type_name(value: Any) -> str:
    """`torch.Tensor`, `list`, `None` ... as a learner would write it."""
    if value is None:
        return "None"
    if isinstance(value, Tensor):
        return "torch.Tensor"
    return type(value).__name__


def _dtype(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _position(flat: int, shape: torch.Size) -> list[int]:
    index: list[int] = []
    for size in reversed(shape):
        index.append(flat % size)
        flat //= size
    return index[::-1]


def assert_close(got: Any, expected: Any, *, tolerance: float | None = None, of: str = "result") -> None:
    """Type, shape, dtype, then values: `|got - expected| <= tolerance * (1 + |expected|)`.

    `expected` is a tensor, a number, or a tuple, list or dict of them; `of` names the part in the message:
    "result", "gradient of q". NaN is wrong where a number is expected.
    """
    _observe((), got, expected, of)
    _compare(got, expected, tolerance, of)


def _compare(got: Any, expected: Any, tolerance: float | None, of: str) -> None:
    if isinstance(expected, Tensor):
        if not isinstance(got, Tensor):
            raise CheckFailed("type", got=type_name(got), expected="torch.Tensor", of=of)
        _compare_tensors(got, expected, tolerance, of)
    elif isinstance(expected, (tuple, list)):
        if not isinstance(got, (tuple, list)):
            raise CheckFailed("type", got=type_name(got), expected=type_name(expected), of=of)
        if len(got) != len(expected):
            raise CheckFailed("length", got=len(got), expected=len(expected), of=of)
        for number, (one, other) in enumerate(zip(got, expected, strict=True)):
            _compare(one, other, tolerance, f"{of}[{number}]")
    elif isinstance(expected, dict):
        if not isinstance(got, dict) or set(got) != set(expected):
            raise CheckFailed("type", got=type_name(got), expected=type_name(expected), of=of)
        for key in expected:
            _compare(got[key], expected[key], tolerance, f"{of}[{key!r}]")
    elif isinstance(expected, float):
        if type(got) not in (float, int):
            raise CheckFailed("type", got=type_name(got), expected="float", of=of)
        limit = 1e-6 if tolerance is None else tolerance
        same = got == expected or (math.isnan(got) and math.isnan(expected))
        if not same and not abs(got - expected) <= limit * (1 + abs(expected)):
            raise CheckFailed("number", of=of)
    elif type(got) is not type(expected):
        raise CheckFailed("type", got=type_name(got), expected=type_name(expected), of=of)
    elif got != expected:
        raise CheckFailed("number", of=of)


def _compare_tensors(got: Tensor, expected: Tensor, tolerance: float | None, of: str) -> None:
    got, expected = got.detach(), expected.detach()
    if got.shape != expected.shape:
        raise CheckFailed("shape", got=list(got.shape), expected=list(expected.shape), of=of)
    if got.dtype != expected.dtype:
        raise CheckFailed("dtype", got=_dtype(got.dtype), expected=_dtype(expected.dtype), of=of)
    if expected.numel() == 0:
        return
    if not (expected.is_floating_point() or expected.is_complex()):
        wrong = got != expected
        if wrong.any():
            flat = int(wrong.flatten().int().argmax())
            raise CheckFailed("elements", of=of, wrong=int(wrong.sum()), total=wrong.numel(),
                              index=_position(flat, got.shape), dtype=_dtype(got.dtype))
        return
    limit = TOLERANCE.get(expected.dtype, 1e-5) if tolerance is None else tolerance
    wide_got, wide = got.to(torch.float64), expected.to(torch.float64)
    bad = ~torch.isfinite(wide_got) & torch.isfinite(wide)
    if bad.any():
        flat = int(bad.flatten().int().argmax())
        kind = "NaN" if bool(torch.isnan(wide_got).flatten()[flat]) else "inf"
        raise CheckFailed("not_finite", of=of, kind=kind, wrong=int(bad.sum()), total=bad.numel(),
                          index=_position(flat, got.shape))
    same = (wide_got == wide) | (torch.isnan(wide_got) & torch.isnan(wide))
    error = torch.where(same, 0.0, (wide_got - wide).abs())
    wrong = ~(error <= limit * (1 + torch.where(torch.isfinite(wide), wide.abs(), 0.0)))
    if wrong.any():
        largest = torch.where(wrong, error.nan_to_num(nan=math.inf), -1.0)
        flat = int(largest.flatten().argmax())
        raise CheckFailed("values", of=of, wrong=int(wrong.sum()), total=wrong.numel(),
                          max_error=float(largest.flatten()[flat]), index=_position(flat, got.shape),
                          tolerance=limit, dtype=_dtype(got.dtype))


def assert_equal(got: Any, expected: Any, *, of: str = "result") -> None:
    """Type, shape, dtype and every element exactly: for masks, positions and counts."""
    _observe((), got, expected, of)
    _compare(got, expected, 0.0, of)


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
    argument too. `names` are the arguments' names for messages ("q", "k", "v"); by default those of the reference.
    """
    names = names or _argument_names(reference)
    wanted = [_reference_outcome(reference, arguments, gradients, number) for number, arguments in enumerate(calls)]
    asked = [
        Call(arguments, cotangents=outcome.cotangents if gradients else None)
        for arguments, outcome in zip(calls, wanted, strict=True)
    ]
    for call, want, got in zip(asked, wanted, perform(function, asked), strict=True):
        _observe(call.arguments, got.value, want.value, "result")
        _compare(got.value, want.value, tolerance, "result")
        if gradients:
            _compare_gradients(got, want, call.arguments, names, tolerance)


def _argument_names(function: Callable[..., Any]) -> list[str]:
    code = getattr(function, "__code__", None) or getattr(getattr(function, "forward", None), "__code__", None)
    if code is None:
        return []
    found = list(code.co_varnames[: code.co_argcount])
    return found[1:] if found[:1] == ["self"] else found


def _reference_outcome(reference: Callable[..., Any], arguments: tuple[Any, ...], gradients: bool, seed: int) -> Outcome:
    if not gradients:
        return perform(reference, [Call(arguments)])[0]
    generator = torch.Generator().manual_seed(1000 + seed)
    return perform(reference, [Call(arguments, cotangents=generator)])[0]


def _compare_gradients(
    got: Outcome, want: Outcome, arguments: tuple[Any, ...], names: Sequence[str], tolerance: float | None
) -> None:
    if got.detached:
        raise CheckFailed("detached", of="result")
    for position, wanted in want.gradients.items():
        of = f"gradient of {names[position] if position < len(names) else f'argument {position}'}"
        found = got.gradients.get(position)
        if found is None:
            if bool(wanted.any()):
                raise CheckFailed("gradient_missing", of=of)
            continue
        _compare(found, wanted, tolerance, of)


def assert_independent(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    changed: tuple[Any, ...],
    outputs: Any,
    *,
    source: str,
    target: str,
    source_zh: str | None = None,
    target_zh: str | None = None,
) -> None:
    """`function(*arguments)[outputs]` equals `function(*changed)[outputs]`: what was changed must not reach there.

    `outputs` is an index (a tuple of slices or integers, or a bool mask of the result's shape); `source` and `target`
    name both ends in the message, for instance "token 4" and "the output of tokens 0 to 3".
    """
    first, second = (outcome.value for outcome in perform(function, [Call(arguments), Call(changed)]))
    for result in (first, second):
        if not isinstance(result, Tensor):
            raise CheckFailed("type", got=type_name(result), expected="torch.Tensor", of="result")
    try:
        before, after = first[outputs], second[outputs]
    except IndexError:
        raise CheckFailed("shape", got=list(first.shape), expected=None, of="result") from None
    _require_finite(before)
    limit = 100 * TOLERANCE.get(before.dtype, 0.0)
    gap = (before.double() - after.double()).abs() if before.numel() else torch.zeros(1)
    if before.shape != after.shape or not bool((gap <= limit).all()):
        raise CheckFailed("leak", source=source, target=target, source_zh=source_zh or source,
                          target_zh=target_zh or target, max_change=float(gap.nan_to_num(nan=math.inf).max()))


def _require_finite(result: Tensor) -> None:
    bad = ~torch.isfinite(result)
    if bad.any():
        flat = int(bad.flatten().int().argmax())
        raise CheckFailed("not_finite", of="result", kind="NaN" if bool(torch.isnan(result).any()) else "inf",
                          wrong=int(bad.sum()), total=bad.numel(), index=_position(flat, result.shape))


def assert_no_gradient(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    outputs: Any,
    argument: int,
    inputs: Any,
    *,
    source: str,
    target: str,
    source_zh: str | None = None,
    target_zh: str | None = None,
) -> None:
    """The Jacobian of `result[outputs]` with respect to `arguments[argument][inputs]` is zero (one backward pass)."""
    result = perform(function, [Call(arguments)])[0].value
    if not isinstance(result, Tensor):
        raise CheckFailed("type", got=type_name(result), expected="torch.Tensor", of="result")
    cotangent = torch.zeros_like(result)
    generator = torch.Generator().manual_seed(77)
    try:
        cotangent[outputs] = torch.rand(cotangent[outputs].shape, generator=generator, dtype=result.dtype) + 0.5
    except IndexError:
        raise CheckFailed("shape", got=list(result.shape), expected=None, of="result") from None
    outcome = perform(function, [Call(arguments, cotangents=cotangent)])[0]
    if outcome.detached:
        raise CheckFailed("detached", of="result")
    gradient = outcome.gradients.get(argument)
    if gradient is None:
        return
    part = gradient[inputs]
    if part.numel() and not bool((part.abs() <= 1e-12).all()):
        raise CheckFailed("leak", source=source, target=target, source_zh=source_zh or source,
                          target_zh=target_zh or target, max_change=float(part.abs().nan_to_num(nan=math.inf).max()))


def assert_layouts(function: Callable[..., Any], reference: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    """The same values laid out in memory otherwise: transposed, strided, expanded, and one storage for equal shapes."""
    assert_same(
        function,
        reference,
        tuple(_transposed(value) for value in arguments),
        tuple(_every_second(value) for value in arguments),
        tuple(_expanded(value) for value in arguments),
        _aliased(arguments),
    )


def _is_float(value: Any) -> bool:
    return isinstance(value, Tensor) and value.is_floating_point()


def _transposed(value: Any) -> Any:
    if not _is_float(value) or value.dim() < 2:
        return value
    return value.transpose(-1, -2).contiguous().transpose(-1, -2)


def _every_second(value: Any) -> Any:
    return torch.stack([value, value + 1], -1).flatten(-2)[..., ::2] if _is_float(value) else value


def _expanded(value: Any) -> Any:
    return value[:1].expand(value.shape) if _is_float(value) and value.dim() else value


def _aliased(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    first: dict[tuple[int, ...], Tensor] = {}
    return tuple(first.setdefault(tuple(a.shape), a) if _is_float(a) else a for a in arguments)


def assert_not_used(function: Callable[..., Any], *calls: tuple[Any, ...]) -> None:
    """Runs the calls under a tracer that sees the problem's forbidden functions and operators (verdict RF).

    On a plain module it only runs them.
    """
    perform(function, [Call(arguments, trace=True) for arguments in calls])


def load_weights(module: nn.Module, reference: nn.Module) -> nn.Module:
    """Copies the reference's parameters into `module` by name; missing, extra or misshapen ones are the finding."""
    if not isinstance(module, nn.Module):
        raise CheckFailed("type", got=type_name(module), expected="nn.Module", of="result")
    mine, theirs = dict(module.named_parameters()), dict(reference.named_parameters())
    compare_parameters({n: tuple(p.shape) for n, p in mine.items()}, {n: tuple(p.shape) for n, p in theirs.items()})
    with torch.no_grad():
        for name, parameter in mine.items():
            parameter.data = theirs[name].detach().to(theirs[name].dtype).clone()
    return module


def compare_parameters(mine: dict[str, tuple[int, ...]], theirs: dict[str, tuple[int, ...]]) -> None:
    """Raises with the names that are missing, extra or misshapen."""
    missing, extra = sorted(set(theirs) - set(mine)), sorted(set(mine) - set(theirs))
    misshapen = [[n, list(mine[n]), list(theirs[n])] for n in sorted(set(mine) & set(theirs)) if mine[n] != theirs[n]]
    if missing or extra or misshapen:
        raise CheckFailed("parameters", missing=missing, extra=extra, misshapen=misshapen)


def assert_same_module(
    module: nn.Module,
    reference: nn.Module,
    *calls: tuple[Any, ...],
    gradients: bool = False,
    tolerance: float | None = None,
) -> None:
    """As `assert_same` for two modules with the same weights; `gradients` includes those of every parameter."""
    wanted = [_reference_outcome(reference, arguments, gradients, number) for number, arguments in enumerate(calls)]
    asked = [
        Call(arguments, cotangents=outcome.cotangents if gradients else None)
        for arguments, outcome in zip(calls, wanted, strict=True)
    ]
    names = _argument_names(reference)
    for call, want, got in zip(asked, wanted, perform(module, asked), strict=True):
        _observe(call.arguments, got.value, want.value, "result")
        _compare(got.value, want.value, tolerance, "result")
        if gradients:
            _compare_gradients(got, want, call.arguments, names, tolerance)
            for name, wanted_gradient in want.parameters.items():
                found = got.parameters.get(name)
                if found is None and bool(wanted_gradient.any()):
                    raise CheckFailed("gradient_missing", of=f"gradient of {name}")
                if found is not None:
                    _compare(found, wanted_gradient, tolerance, f"gradient of {name}")


def cast(arguments: tuple[Any, ...], dtype: torch.dtype) -> tuple[Any, ...]:
    """The same arguments with float tensors in another dtype; masks and integers stay as they are."""
    return tuple(value.to(dtype) if _is_float(value) else value for value in arguments)
