"""The whole pattern of who reads whom, position by position."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from judge.checks.independence import require_finite
from judge.checks.layouts import cast
from judge.compare import CheckFailed, compare, position
from judge.remote.calls import Call, Outcome, argument_names, float_tensors, perform

MAX_POSITIONS = 64
"""Of a result whose Jacobian is looked at: as many calls travel in the frame."""
ZERO, SEEN = 1e-12, 1e-9
"""Gradients up to ZERO are none, from SEEN on they are one."""


def assert_jacobian(
    function: Callable[..., Any],
    reference: Callable[..., Any],
    call: tuple[Any, ...],
    argument: int | Sequence[int] = 0,
    *,
    part: int = 0,
    features: tuple[int, int] = (1, 1),
    names: Sequence[str] = (),
) -> None:
    """Every position of the result reads exactly those positions of `call[argument]` that the reference reads.

    A position is an index into all dimensions but the last; `features` says how many last dimensions of the argument
    and of the result are no positions. `part` chooses among the result's float tensors. Computed in float64, one
    backward pass per position of the result for all the arguments asked for, all in one frame: for small calls.
    """
    call = cast(call, torch.float64)
    plain = perform(reference, [Call(call, dtype=torch.float64)])[0].value
    results = float_tensors(plain)
    lead = _lead(results[part], features[1])
    asked = [Call(call, _one_position(results, part, lead, n), dtype=torch.float64) for n in range(math.prod(lead))]
    if len(asked) > MAX_POSITIONS:
        raise ValueError(f"{len(asked)} positions of the result are too many, use a smaller call")
    wanted, found = perform(reference, asked), perform(function, asked)
    names = names or argument_names(reference)
    whole = "" if plain is results[part] else f"[{part}]"
    for number, (want, got) in enumerate(zip(wanted, found, strict=True)):
        _compare_shapes(got.value, plain)
        if got.detached and not want.detached:
            raise CheckFailed("detached", of="result")
        for n in [argument] if isinstance(argument, int) else argument:
            name = names[n] if n < len(names) else f"argument {n}"
            place = f"{whole}{position(number, lead)}"
            _compare_reach(got, want, n, _lead(call[n], features[0]), name, place)


def _compare_reach(got: Outcome, want: Outcome, argument: int, lead: torch.Size, name: str, place: str) -> None:
    expected, reached = (_reach(outcome.gradients.get(argument), lead) for outcome in (want, got))
    require_finite(reached, f"gradient of {name}")
    leaks, blind = (expected <= ZERO) & (reached > ZERO), (expected >= SEEN) & (reached <= ZERO)
    for wrong, code in ((leaks, "leak"), (blind, "no_influence")):
        if bool(wrong.any()):
            flat = int(torch.where(wrong, reached, -1.0).argmax())
            source = f"{name}{position(flat, lead)}"
            raise CheckFailed(code, source=source, source_zh=source, target=f"result{place}",
                              target_zh=f"结果{place}", max_change=float(reached[flat]))  # fmt: skip


def _lead(tensor: Tensor, features: int) -> torch.Size:
    """The sizes of the dimensions that make up a position."""
    return tensor.shape[: tensor.dim() - features] if tensor.dim() > features else tensor.shape


def _one_position(results: list[Tensor], part: int, lead: torch.Size, number: int) -> list[Tensor]:
    cotangents = [torch.zeros_like(result) for result in results]
    block = cotangents[part].view(math.prod(lead), -1)[number]
    block.copy_(torch.rand(block.shape, generator=torch.Generator().manual_seed(number)) + 0.5)
    return cotangents


def _reach(gradient: Tensor | None, lead: torch.Size) -> Tensor:
    """The largest gradient at each position of an argument, flat."""
    if gradient is None:
        return torch.zeros(math.prod(lead), dtype=torch.float64)
    return gradient.reshape(math.prod(lead), -1).abs().amax(-1)


def _compare_shapes(got: Any, expected: Any) -> None:
    """Type, shape and dtype of everything, not values."""
    compare(_without_values(got), _without_values(expected), None, "result")


def _without_values(value: Any) -> Any:
    if isinstance(value, Tensor):
        return torch.zeros_like(value)
    if isinstance(value, dict):
        return {key: _without_values(item) for key, item in value.items()}
    return type(value)(_without_values(item) for item in value) if isinstance(value, (list, tuple)) else value
