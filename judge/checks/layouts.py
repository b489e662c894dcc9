"""The same values in another dtype or otherwise laid out in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from judge.checks.values import assert_same


def cast(arguments: tuple[Any, ...], dtype: torch.dtype) -> tuple[Any, ...]:
    """The same arguments with float tensors in another dtype; masks and integers stay as they are."""
    return tuple(value.to(dtype) if _is_float(value) else value for value in arguments)


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
