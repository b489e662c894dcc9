"""The same calls in other circumstances: another dtype, after other calls, under another global state of torch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from judge.checks.layouts import cast
from judge.checks.values import Expected, assert_expected
from judge.compare import TOLERANCE
from judge.remote.calls import Call, Outcome, argument_names, perform, weights_as

HALF = (torch.float16, torch.bfloat16)
HALF_GRADIENT = 4
"""Times the tolerance of a result: a backward pass rounds more often."""
ROUNDING = 3
NUDGES, UNITS = 2, 1.5
"""How often the arguments are moved, and by how many units of their last place, to see how much that matters."""
MOST_MOVED = 1.25
"""Times `TOLERANCE`: so much may be lost to moved arguments. Without it one right answer in 5000 was refused."""
DTYPES = (torch.float64, torch.float32, torch.float16, torch.bfloat16)
STATES = (
    "torch.set_default_dtype(torch.float64)",
    "torch.inference_mode()",
    "torch.enable_grad()",
    "torch.use_deterministic_algorithms(True)",
)
"""Deterministic algorithms also fill the memory of `torch.empty` with NaN."""


def assert_dtypes(
    function: Callable[..., Any],
    reference: Callable[..., Any],
    *calls: tuple[Any, ...],
    dtypes: Sequence[torch.dtype] = DTYPES,
    gradients: bool = False,
    tolerance: float | None = None,
    names: Sequence[str] = (),
) -> None:
    """The calls with their float tensors in each of `dtypes`; a module with its weights in it too. All in one frame.

    The result has the dtype that the reference gives. Its values are the reference's in float64, from the same
    rounded inputs and weights. In float16 and bfloat16 the tolerance is never below `ROUNDING` times what the reference
    itself loses in that dtype, nor below what slightly moved inputs lose: another order of the same steps must not be a
    wrong answer.
    """
    expected = []
    for dtype in dtypes:
        with weights_as(reference, dtype):
            for number, arguments in enumerate(calls):
                drawn = torch.Generator().manual_seed(1000 + number) if gradients else None
                expected.append(exact(reference, Call(cast(arguments, dtype), cotangents=drawn, dtype=dtype)))
    assert_expected(function, expected, names or argument_names(reference), tolerance)


def exact(reference: Callable[..., Any], call: Call, most_moved: float = MOST_MOVED) -> Expected:
    """What `call` gives, computed in float64, in the dtypes that it has when computed as asked; in half precision with
    the tolerance for it, of which moved arguments make at most `most_moved` times `TOLERANCE`."""
    own = perform(reference, [call])[0]
    if call.dtype is torch.float64:
        return Expected(call, own)
    cotangents = None if call.cotangents is None else [c.double() for c in own.cotangents]
    wide = perform(reference, [Call(cast(call.arguments, torch.float64), cotangents=cotangents, dtype=torch.float64)])[
        0
    ]
    outcome = Outcome(
        _like(wide.value, own.value),
        {n: _like(gradient, own.gradients[n]) for n, gradient in wide.gradients.items()},
        {name: _like(gradient, own.parameters[name]) for name, gradient in wide.parameters.items()},
        own.cotangents,
        own.detached,
    )
    if call.dtype not in HALF:
        return Expected(call, outcome)
    least = TOLERANCE[call.dtype]
    gradients = [_lost(own.gradients[n], gradient) for n, gradient in wide.gradients.items()]
    gradients += [_lost(own.parameters[name], gradient) for name, gradient in wide.parameters.items()]
    return Expected(
        call,
        outcome,
        tolerance=max(
            least, ROUNDING * _lost(own.value, wide.value), min(_moved(reference, call, wide.value), most_moved * least)
        ),
        gradients=max(HALF_GRADIENT * least, ROUNDING * max(gradients, default=0.0)),
    )


def _moved(reference: Callable[..., Any], call: Call, exact: Any) -> float:
    """What is lost, in float64, where the arguments are off by a little of their last place in the call's dtype."""
    assert call.dtype is not None
    by, most = UNITS * torch.finfo(call.dtype).eps, 0.0
    for number in range(NUDGES):
        generator = torch.Generator().manual_seed(number)
        nudged = tuple(_nudged(value, by, generator) for value in call.arguments)
        (outcome,) = perform(reference, [Call(nudged, dtype=torch.float64)])
        most = max(most, _lost(outcome.value, exact))
    return most


def _nudged(value: Any, by: float, generator: torch.Generator) -> Any:
    """In float64, each number a little larger or smaller by chance."""
    if not isinstance(value, Tensor) or not value.is_floating_point():
        return value
    signs = torch.randint(2, value.shape, generator=generator) * 2 - 1
    return value.double() * (1 + by * signs)


def _lost(own: Any, exact: Any) -> float:
    """The largest difference, as `compare` measures it; what is not finite in both is left out."""
    if isinstance(own, Tensor) and isinstance(exact, Tensor) and own.is_floating_point():
        wide, exact = own.detach().double(), exact.detach().double()
        error = (wide - exact).abs() / (1 + exact.abs())
        return float(error[error.isfinite()].max()) if bool(error.isfinite().any()) else 0.0
    if isinstance(own, dict):
        return max((_lost(item, exact[key]) for key, item in own.items()), default=0.0)
    if isinstance(own, (list, tuple)):
        return max((_lost(item, other) for item, other in zip(own, exact, strict=True)), default=0.0)
    return 0.0


def _like(value: Any, pattern: Any) -> Any:
    """The same values in the pattern's dtypes."""
    if isinstance(value, Tensor) and isinstance(pattern, Tensor):
        return value.to(pattern.dtype)
    if isinstance(value, dict):
        return {key: _like(item, pattern[key]) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)([_like(item, other) for item, other in zip(value, pattern, strict=True)])
    return value


def assert_repeatable(
    function: Callable[..., Any],
    reference: Callable[..., Any],
    *calls: tuple[Any, ...],
    tolerance: float | None = None,
    names: Sequence[str] = (),
) -> None:
    """The calls, the same with other data of the same shapes, and the first again, in one frame: no state is kept.

    Other data: float tensors are drawn anew, bool tensors are turned by one in their last dimension, the rest stays.
    The results are looked at after the last call, so memory that two results share is seen too.
    """
    sequence = [*calls, *(_other(arguments) for arguments in calls), *calls]
    expected = [
        Expected(Call(arguments), perform(reference, [Call(arguments)])[0], {"code": "again"}) for arguments in sequence
    ]
    expected[0] = replace(expected[0], frame=None)
    assert_expected(function, expected, names or argument_names(reference), tolerance)


def _other(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    generator = torch.Generator().manual_seed(4711)
    return tuple(_other_values(value, generator) for value in arguments)


def _other_values(value: Any, generator: torch.Generator) -> Any:
    if not isinstance(value, Tensor) or value.numel() < 2:
        return value
    if value.is_floating_point():
        return torch.randn(value.shape, generator=generator, dtype=torch.float64).to(value.dtype)
    if value.dtype is not torch.bool:
        return value
    turned = value.roll(1, -1)
    if torch.equal(turned, value):
        turned[..., 0] = ~turned[..., 0]
    return turned


def assert_global_state(
    function: Callable[..., Any],
    reference: Callable[..., Any],
    *calls: tuple[Any, ...],
    states: Sequence[str] = STATES,
    tolerance: float | None = None,
    names: Sequence[str] = (),
) -> None:
    """The same results where the caller has set another default dtype, inference mode and so on. One frame."""
    plain = [(arguments, perform(reference, [Call(arguments)])[0]) for arguments in calls]
    expected = [
        Expected(Call(arguments, state=state), outcome, {"code": "under", "state": state})
        for state in states
        for arguments, outcome in plain
    ]
    assert_expected(function, expected, names or argument_names(reference), tolerance)
