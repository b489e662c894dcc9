"""One call of a function under test, and what came of it: the seam between checks and the two ways to run a call.

`perform(function, calls)` runs on a plain function or module in this process. Where `function` is a stand-in
(`judge.proxy`), all calls travel to the sandbox in one frame and come back in one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Call:
    """`cotangents`: one tensor per float tensor in the result, or a generator that draws them; asks for gradients."""

    arguments: tuple[Any, ...]
    cotangents: Tensor | Sequence[Tensor] | torch.Generator | None = None
    trace: bool = False


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
    trace: dict[str, Any] = field(default_factory=dict)


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
    if call.cotangents is None:
        with torch.no_grad():
            return Outcome(function(*call.arguments))
    leaves: dict[int, Tensor] = {}
    arguments = list(call.arguments)
    for position, value in enumerate(arguments):
        if isinstance(value, Tensor) and value.is_floating_point():
            arguments[position] = leaves[position] = value.detach().requires_grad_()
    with torch.enable_grad():
        value = function(*arguments)
    results = float_tensors(value)
    cotangents = draw_cotangents(call, results)
    weights = dict(function.named_parameters()) if isinstance(function, nn.Module) else {}
    attached = [(r, c) for r, c in zip(results, cotangents, strict=False) if r.requires_grad]
    if not attached:
        return Outcome(value, cotangents=cotangents, detached=True)
    with torch.enable_grad():  # the gradient of (r * c).sum() is c; handing c to `grad` would import sympy
        scalars = [(r * c).sum() for r, c in attached]
    found = torch.autograd.grad(scalars, [*leaves.values(), *weights.values()], allow_unused=True)
    return Outcome(
        value,
        dict(zip(leaves, found, strict=False)),
        dict(zip(weights, found[len(leaves) :], strict=True)),
        cotangents,
    )


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
