"""What a call uses, as its operators tell: the largest new storage, and FLOPs.

A storage is new if none of the operator's inputs has it: views cost nothing, a copy of an expanded tensor costs what
it holds, `torch.empty` costs what it asks for. Memory inside one operator (library attention, `bmm`) is not seen,
nor what numpy does.

FLOPs are 2 per multiply-add, of matrix products (whatever ends in `mm`, `bmm`, `addmm`, `mv`, `dot`: matmul, linear
and einsum do) and of elementwise products that are summed. Library attention counts its two full products.

It holds against honest code: a submission can leave or blind the mode.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from sandbox.restrict import decomposed

FIRST_FACTOR = {
    "mm": 0, "bmm": 0, "mv": 0, "dot": 0, "vdot": 0, "_int_mm": 0,
    "addmm": 1, "baddbmm": 1, "addbmm": 1, "addmv": 1, "_addmm_activation": 1,
}  # fmt: skip
"""Matrix products by operator: the position of the first factor; the second follows."""


class Meter(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """`largest_bytes` with the `shape` that had them, and `flops`."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.largest_bytes, self.shape, self.flops = 0, [0], 0
        self._products: dict[int, int] = {}

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """No: skipping imports torch._dynamo, which takes seconds."""
        return False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        parts = decomposed(self, func, args, kwargs)
        if parts is not NotImplemented:
            return parts
        name = func.overloadpacket.__name__
        given = list(_tensors([*args, *(kwargs or {}).values()]))
        self.flops += self._count(name, args, given)
        known = set() if name == "lift_fresh" else {_address(t) for t in given}
        result = func(*args, **(kwargs or {}))
        for tensor in _tensors([result]):
            self._see(name.rstrip("_"), tensor, known, given, writes=func._schema.is_mutable)
        return result

    def _see(self, name: str, tensor: Tensor, known: set[int], given: list[Tensor], *, writes: bool) -> None:
        address = _address(tensor)
        if address not in known:
            size = tensor.untyped_storage().nbytes()
            if size > self.largest_bytes:
                self.largest_bytes, self.shape = size, list(tensor.shape)
        elif not writes:
            return  # a view
        self._products.pop(address, None)
        if name == "mul" and sum(t.numel() > 1 for t in given) > 1:
            self._products[address] = tensor.numel()

    def _count(self, name: str, args: Any, given: list[Tensor]) -> int:
        if name in FIRST_FACTOR:
            first, second = args[FIRST_FACTOR[name] :][:2]
            return int(2 * first.numel() * (second.shape[-1] if second.dim() > 1 else 1))
        if name.startswith("_scaled_dot_product") and len(given) >= 3:
            q, k, v = given[:3]
            return int(2 * math.prod(q.shape[:-1]) * k.shape[-2] * (q.shape[-1] + v.shape[-1]))
        if name in ("sum", "mean") and given and self._products.get(_address(given[0])) == given[0].numel():
            return int(2 * given[0].numel())
        return 0


def _tensors(values: list[Any]) -> Iterator[Tensor]:
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _tensors(list(value))


def _address(tensor: Tensor) -> int:
    return tensor.untyped_storage().data_ptr() if tensor.layout == torch.strided else 0
