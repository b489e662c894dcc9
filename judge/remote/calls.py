"""One call of a function under test, and what came of it: the seam between checks and the two ways to run a call.

`perform(function, calls)` runs on a plain function or module in this process. Where `function` is a stand-in
(`judge.remote.proxy`), all calls travel to the sandbox in one frame and come back in one.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

from judge.compare import CheckFailed
from sandbox.measure import Meter
from sandbox.restrict import FunctionWatch
from sandbox.states import STATES


@dataclass(frozen=True)
class Call:
    """`cotangents`: one tensor per float tensor in the result, or a generator that draws them; asks for gradients.

    `trace` looks for forbidden functions, `measure` for storage and FLOPs. `state` is a key of `sandbox.states.STATES`
    that holds during the call, `dtype` that of a module's weights during the call.
    """

    arguments: tuple[Any, ...]
    cotangents: Tensor | Sequence[Tensor] | torch.Generator | None = None
    trace: bool = False
    measure: bool = False
    state: str | None = None
    dtype: torch.dtype | None = None


@dataclass(frozen=True)
class Measured:
    """The largest new storage of a call, the shape of the tensor that had it, and FLOPs (2 per multiply-add)."""

    bytes: int
    shape: tuple[int, ...]
    flops: int


@dataclass
class Outcome:
    """`gradients` by position of the argument, `parameters` by name; None there means: no gradient arrived.

    `detached`: the result does not hang on any input, so that there was nothing to differentiate.
    """

    value: Any
    gradients: dict[int, Tensor | None] = field(default_factory=dict)
    parameters: dict[str, Tensor | None] = field(default_factory=dict)
    cotangents: list[Tensor] = field(default_factory=list)
    detached: bool = False
    measured: Measured | None = None


def float_tensors(value: Any) -> list[Tensor]:
    """The float tensors of a result, in reading order."""
    if isinstance(value, Tensor):
        return [value] if value.is_floating_point() else []
    if isinstance(value, dict):
        return [t for item in value.values() for t in float_tensors(item)]
    if isinstance(value, (tuple, list)):
        return [t for item in value for t in float_tensors(item)]
    return []


def perform(function: Callable[..., Any], calls: Sequence[Call]) -> list[Outcome]:
    """Runs the calls in order; what the function raises comes through."""
    remote = getattr(function, "perform_calls", None)
    if remote is not None:
        outcomes: list[Outcome] = remote(calls)
        return outcomes
    return [_perform_here(function, call) for call in calls]


def _perform_here(function: Callable[..., Any], call: Call) -> Outcome:
    before = [_mark(value) for value in call.arguments]
    with weights_as(function, call.dtype):
        if call.cotangents is None:
            with torch.no_grad():
                outcome = _run(function, call.arguments, call)
        else:
            outcome = _differentiate(function, call)
    changed = [n for n, value in enumerate(call.arguments) if _mark(value) != before[n]]
    if changed:
        names = argument_names(function)
        raise CheckFailed("input_changed", argument=names[changed[0]] if changed[0] < len(names) else str(changed[0]))
    return outcome


def _mark(value: Any) -> Any:
    """Changes when a tensor is changed in place; the sandbox compares the memory itself."""
    return (value._version, value.data_ptr(), value.shape, value.stride()) if isinstance(value, Tensor) else None


def argument_names(function: Callable[..., Any]) -> list[str]:
    """Of a function, or of a module's `forward`."""
    code = getattr(function, "__code__", None) or getattr(getattr(function, "forward", None), "__code__", None)
    if code is None:
        return []
    found = list(code.co_varnames[: code.co_argcount])
    return found[1:] if found[:1] == ["self"] else found


def _run(function: Callable[..., Any], arguments: Sequence[Any], call: Call) -> Outcome:
    with contextlib.ExitStack() as stack:
        if call.state is not None:
            stack.enter_context(STATES[call.state]())
        if not call.measure:
            return Outcome(function(*arguments))
        stack.enter_context(FunctionWatch([]))
        meter = stack.enter_context(Meter())
        value = function(*arguments)
    return Outcome(value, measured=Measured(meter.largest_bytes, tuple(meter.shape), meter.flops))


def _differentiate(function: Callable[..., Any], call: Call) -> Outcome:
    leaves: dict[int, Tensor] = {}
    arguments = list(call.arguments)
    for position, value in enumerate(arguments):
        if isinstance(value, Tensor) and value.is_floating_point():
            arguments[position] = leaves[position] = value.detach().requires_grad_()
    with torch.enable_grad():
        outcome = _run(function, arguments, call)
    results = float_tensors(outcome.value)
    outcome.cotangents = draw_cotangents(call, results)
    weights = dict(function.named_parameters()) if isinstance(function, nn.Module) else {}
    attached = [(r, c) for r, c in zip(results, outcome.cotangents, strict=False) if r.requires_grad]
    if not attached:
        outcome.detached = True
        return outcome
    with torch.enable_grad():  # the gradient of (r * c).sum() is c; handing c to `grad` would import sympy
        scalars = [(r * c).sum() for r, c in attached]
    found = torch.autograd.grad(scalars, [*leaves.values(), *weights.values()], allow_unused=True)
    outcome.gradients = dict(zip(leaves, found, strict=False))
    outcome.parameters = dict(zip(weights, found[len(leaves) :], strict=True))
    return outcome


@contextlib.contextmanager
def weights_as(function: Callable[..., Any], dtype: torch.dtype | None) -> Iterator[None]:
    """A module's float parameters and buffers in another dtype for a while; None leaves them, as does a function."""
    if dtype is None or not isinstance(function, nn.Module):
        yield
        return
    kept = [(t, t.data) for t in (*function.parameters(), *function.buffers()) if t.is_floating_point()]
    for tensor, data in kept:
        tensor.data = data.to(dtype)
    try:
        yield
    finally:
        for tensor, data in kept:
            tensor.data = data


def given_cotangents(call: Call) -> list[Tensor]:
    """The cotangents as a list; a generator needs results to draw for, so it cannot be sent."""
    if isinstance(call.cotangents, torch.Generator):
        raise TypeError("a call in the sandbox needs its cotangents, not a generator")
    return [call.cotangents] if isinstance(call.cotangents, Tensor) else list(call.cotangents or ())


def draw_cotangents(call: Call, results: list[Tensor]) -> list[Tensor]:
    """Cotangents as a list, one per result; drawn here if the call brings a generator."""
    if not isinstance(call.cotangents, torch.Generator):
        return given_cotangents(call)
    return [torch.randn(r.shape, generator=call.cotangents, dtype=torch.float64).to(r.dtype) for r in results]
