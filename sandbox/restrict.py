"""Forbidden functions: replaced by raisers before the source loads, and looked for while a call is traced.

A name is a dotted path ("torch.nn.functional.softmax"), an operator ("aten._softmax") or a group ("library-attention").
A name that is only mentioned, assigned or imported is no use of it: only a call is.

Runs in the child. It holds against honest code, not against someone who takes the raisers out.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable
from types import ModuleType
from typing import Any, NoReturn

import torch
from torch import nn
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

GROUPS: dict[str, tuple[str, ...]] = {
    "library-attention": (
        "torch.nn.functional.scaled_dot_product_attention",
        "torch._C._nn.scaled_dot_product_attention",
        "torch.nn.functional.multi_head_attention_forward",
        "torch.nn.MultiheadAttention",
        "torch.nn.attention.flex_attention.flex_attention",
        "aten.scaled_dot_product_attention",
        "aten._scaled_dot_product_flash_attention_for_cpu",
        "aten._scaled_dot_product_flash_attention",
        "aten._scaled_dot_product_efficient_attention",
        "aten._scaled_dot_product_cudnn_attention",
        "aten._scaled_dot_product_attention_math",
        "aten._scaled_dot_product_fused_attention_overrideable",
        "aten._native_multi_head_attention",
        "aten._transformer_encoder_layer_fwd",
    ),
    "library-softmax": (
        *(f"{place}.softmax" for place in ("torch", "torch.Tensor", "torch.nn.functional", "torch.special")),
        *(f"{place}.log_softmax" for place in ("torch", "torch.Tensor", "torch.nn.functional", "torch.special")),
        *(f"{place}.logsumexp" for place in ("torch", "torch.Tensor", "torch.special")),
        "aten._softmax",
        "aten._log_softmax",
        "aten.logsumexp",
        "aten._safe_softmax",
        "aten._masked_softmax",
    ),
    "autograd": (
        "torch.autograd.grad",
        "torch.autograd.backward",
        "torch.Tensor.backward",
        "torch.autograd.functional.vjp",
        "torch.autograd.functional.jvp",
        "torch.autograd.functional.jacobian",
        "torch.autograd.functional.hessian",
        "torch.autograd.functional.vhp",
        "torch.autograd.functional.hvp",
        "torch.autograd.forward_ad.make_dual",
        "torch.func.grad",
        "torch.func.grad_and_value",
        "torch.func.vjp",
        "torch.func.jvp",
        "torch.func.linearize",
        "torch.func.jacrev",
        "torch.func.jacfwd",
        "torch.func.hessian",
        "aten._scaled_dot_product_flash_attention_for_cpu_backward",
        "aten._scaled_dot_product_flash_attention_backward",
        "aten._scaled_dot_product_efficient_attention_backward",
    ),
}


class Restricted(Exception):
    """A forbidden function was called. It counts even if somebody on the way swallows this exception."""


_used: list[Restricted] = []


def refuse(name: str) -> NoReturn:
    """Raises Restricted, and remembers it."""
    error = Restricted(name)
    _used.append(error)
    raise error


def used() -> Restricted | None:
    """The first refusal since the source loaded."""
    return _used[0] if _used else None


def raise_if_used() -> None:
    if _used:
        raise _used[0]


def expand(names: Iterable[str]) -> list[str]:
    """Groups replaced by their members."""
    return [member for name in names for member in GROUPS.get(name, (name,))]


def names_something(name: str) -> bool:
    """Whether a forbidden name is a group, an operator, or something that can be imported."""
    if name in GROUPS:
        return True
    path, _, attribute = name.rpartition(".")
    if path == "aten":
        return hasattr(torch.ops.aten, attribute)
    try:
        return hasattr(importlib.import_module(path), attribute)
    except (ImportError, ValueError):
        outer, _, owner = path.rpartition(".")
        return bool(outer) and names_something(path) and hasattr(getattr(sys.modules[outer], owner), attribute)


def install(names: Iterable[str]) -> None:
    """Puts raisers in the place of the forbidden functions and classes, wherever torch's modules hold them."""
    _used.clear()
    listed = expand(names)
    _look_up(listed)
    for name in listed:
        original, places = _known[name]
        raiser = _raiser(name, original)
        for owner, attribute in places:
            setattr(owner, attribute, raiser)


def prepare() -> None:
    """Looks the groups up once, so that children need not; again after more of torch is imported."""
    _known.clear()
    _look_up(expand(GROUPS))


_known: dict[str, tuple[Any, list[tuple[Any, str]]]] = {}
"""The function or class of a name, and every (owner, attribute) that holds it."""


def _look_up(names: Iterable[str]) -> None:
    """Names that are not known yet, all in one walk through torch's modules, which takes milliseconds."""
    found: dict[int, list[list[tuple[Any, str]]]] = {}
    for name in set(names) - _known.keys():
        path, _, attribute = name.rpartition(".")
        try:
            owner = _owner(path)
            original = getattr(owner, attribute)
        except AttributeError:
            _known[name] = None, []
            continue
        _known[name] = original, [(owner, attribute)]
        found.setdefault(id(original), []).append(_known[name][1])
    if not found:
        return
    modules = [m for n, m in list(sys.modules.items()) if n.split(".")[0] == "torch" and isinstance(m, ModuleType)]
    for module in modules:
        for alias, value in list(vars(module).items()):
            for places in found.get(id(value), ()):
                places.append((module, alias))


def _owner(path: str) -> Any:
    """The module or class that a dotted path names. What is not imported yet is not imported for this."""
    if path in sys.modules:
        return sys.modules[path]
    outer, _, attribute = path.rpartition(".")
    return getattr(_owner(outer), attribute) if outer else None


def _raiser(name: str, original: Any) -> Any:
    shown = "torch.nn.functional.scaled_dot_product_attention" if name.startswith("torch._C._nn.") else name

    def raiser(*args: Any, **kwargs: Any) -> Any:
        refuse(shown)

    if isinstance(original, type):
        base = nn.Module if issubclass(original, nn.Module) else object
        return type(original.__name__, (base,), {"__init__": raiser, "__doc__": original.__doc__})
    raiser.__name__ = getattr(original, "__name__", "raiser")
    return raiser


def decomposed(mode: TorchDispatchMode, func: Any, args: Any, kwargs: Any) -> Any:
    """In inference mode operators arrive before they are taken apart: their parts run under the mode. Else nothing."""
    if not torch.is_inference_mode_enabled():
        return NotImplemented
    with mode:
        return func.decompose(*args, **(kwargs or {}))


class OperatorWatch(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Raises at a forbidden operator."""

    def __init__(self, forbidden: Iterable[str]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.forbidden = {name.removeprefix("aten.") for name in expand(forbidden) if name.startswith("aten.")}

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """No: skipping imports torch._dynamo, which takes seconds."""
        return False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = func.overloadpacket.__name__
        if name in self.forbidden:
            refuse(f"aten.{name}")
        parts = decomposed(self, func, args, kwargs)
        return func(*args, **(kwargs or {})) if parts is NotImplemented else parts


class FunctionWatch(TorchFunctionMode):
    """Sees library calls that reach no watched operator (dispatch alone misses `nn.MultiheadAttention`)."""

    def __init__(self, forbidden: Iterable[str]) -> None:
        super().__init__()
        self.forbidden = {name.rpartition(".")[2] for name in expand(forbidden)}

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = getattr(func, "__name__", "")
        if name in self.forbidden:
            refuse(name)
        return func(*args, **(kwargs or {}))
