"""What authors of tests import: checks that hold for the stand-in and for a plain module alike.

    assert_close, assert_equal          one result against one expected value
    assert_same                         many calls in one frame, values and gradients, against the reference;
                                        functions, or modules with the same weights
    assert_independent                  what must not influence what: change some inputs, look at some outputs
    assert_no_gradient                  the same through the Jacobian
    assert_layouts                      strided, expanded and aliased inputs
    assert_not_used                     forbidden functions, looked for while the call runs
    load_weights                        the reference's weights into the submission's module, by name
    cast                                the same inputs in another dtype
    Trial                               what a problem's `inputs` gives: a call of given sizes

A failed check raises `CheckFailed` with a finding (data, see `judge.messages`); it never shows an expected value.
Tolerances follow the dtype of the result: float64 1e-10, float32 1e-5, float16 5e-3, bfloat16 3e-2, both relative
and absolute.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from judge.calls import Call, Outcome, perform
from judge.compare import (
    TOLERANCE,
    CheckFailed,
    compare,
    compare_parameters,
    observe,
    position,
    type_name,
)
from judge.trials import Trial as Trial


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
        raise CheckFailed(
            "leak",
            source=source,
            target=target,
            source_zh=source_zh or source,
            target_zh=target_zh or target,
            max_change=float(gap.nan_to_num(nan=math.inf).max()),
        )


def _require_finite(result: Tensor) -> None:
    bad = ~torch.isfinite(result)
    if bad.any():
        flat = int(bad.flatten().int().argmax())
        raise CheckFailed(
            "not_finite",
            of="result",
            kind="NaN" if bool(torch.isnan(result).any()) else "inf",
            wrong=int(bad.sum()),
            total=bad.numel(),
            index=position(flat, result.shape),
        )


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
    shape: Sequence[int] | None = None,
) -> None:
    """The Jacobian of `result[outputs]` with respect to `arguments[argument][inputs]` is zero (one backward pass).

    `shape` is the result's, where the author knows it: one round trip less. Its dtype is that of the argument.
    """
    dtype = arguments[argument].dtype
    if shape is None:
        result = perform(function, [Call(arguments)])[0].value
        if not isinstance(result, Tensor):
            raise CheckFailed("type", got=type_name(result), expected="torch.Tensor", of="result")
        shape, dtype = result.shape, result.dtype
    cotangent = torch.zeros(tuple(shape), dtype=dtype)
    generator = torch.Generator().manual_seed(77)
    try:
        cotangent[outputs] = torch.rand(cotangent[outputs].shape, generator=generator, dtype=dtype) + 0.5
    except IndexError:
        raise CheckFailed("shape", got=list(shape), expected=None, of="result") from None
    outcome = perform(function, [Call(arguments, cotangents=cotangent)])[0]
    if not isinstance(outcome.value, Tensor):
        raise CheckFailed("type", got=type_name(outcome.value), expected="torch.Tensor", of="result")
    if outcome.value.shape != cotangent.shape:
        raise CheckFailed("shape", got=list(outcome.value.shape), expected=list(cotangent.shape), of="result")
    if outcome.detached:
        raise CheckFailed("detached", of="result")
    gradient = outcome.gradients.get(argument)
    if gradient is None:
        return
    part = gradient[inputs]
    if part.numel() and not bool((part.abs() <= 1e-12).all()):
        raise CheckFailed(
            "leak",
            source=source,
            target=target,
            source_zh=source_zh or source,
            target_zh=target_zh or target,
            max_change=float(part.abs().nan_to_num(nan=math.inf).max()),
        )


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


def cast(arguments: tuple[Any, ...], dtype: torch.dtype) -> tuple[Any, ...]:
    """The same arguments with float tensors in another dtype; masks and integers stay as they are."""
    return tuple(value.to(dtype) if _is_float(value) else value for value in arguments)
