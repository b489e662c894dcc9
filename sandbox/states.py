"""Global states of torch that a call can be made under, each taken back afterwards."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

import torch

_set_dtype, _get_dtype = torch.set_default_dtype, torch.get_default_dtype


@contextlib.contextmanager
def _default_dtype(dtype: torch.dtype) -> Iterator[None]:
    before = _get_dtype()
    _set_dtype(dtype)
    try:
        yield
    finally:
        _set_dtype(before)


@contextlib.contextmanager
def _deterministic() -> Iterator[None]:
    """Without `torch.use_deterministic_algorithms`, which imports the inductor. Fills new empty memory with NaN."""
    before = torch.are_deterministic_algorithms_enabled()
    torch._C._set_deterministic_algorithms(True)
    try:
        yield
    finally:
        torch._C._set_deterministic_algorithms(before)


STATES: dict[str, Callable[[], contextlib.AbstractContextManager[object]]] = {
    "torch.set_default_dtype(torch.float64)": lambda: _default_dtype(torch.float64),
    "torch.set_default_dtype(torch.float16)": lambda: _default_dtype(torch.float16),
    "torch.inference_mode()": torch.inference_mode,
    "torch.enable_grad()": torch.enable_grad,
    "torch.use_deterministic_algorithms(True)": _deterministic,
}
