"""In the child: what is odd about a result, an input or an exception, as data for the host.

All of it looks at objects that the submission made, so nothing here trusts what they say about themselves.
"""

from __future__ import annotations

import mmap
import re
import sys
import traceback
from typing import Any

import torch
from torch import Tensor

from sandbox import restrict, wire
from sandbox.source import FILENAME

MODULE = "solution"
_MESSAGE_CAP, _TRACEBACK_CAP = 2000, 8000
_ALLOCATION = re.compile(r"DefaultCPUAllocator|^std::bad_alloc$")
Mark = tuple[int, tuple[int, ...], tuple[int, ...]]


class Foreign(Exception):
    """The result cannot travel; the argument is the finding."""


def require_plain(tensor: Tensor) -> None:
    """Raises Foreign for what the wire cannot carry. To be called with torch functions disabled."""
    for flag, name in (
        (tensor.is_sparse, "sparse tensor"),
        (tensor.is_meta, "meta tensor"),
        (tensor.is_quantized, "quantized tensor"),
        (tensor.is_nested, "nested tensor"),
        (tensor.layout != torch.strided, f"{tensor.layout} tensor"),
        (torch._C._functorch.is_functorch_wrapped_tensor(tensor), "tensor from inside vmap or grad"),
    ):
        if flag:
            raise Foreign({"foreign": name})
    if tensor.device.type != "cpu":
        raise Foreign({"foreign": f"tensor on {tensor.device.type}"})
    if tensor.dtype not in wire.NAMES:
        raise Foreign({"foreign": f"tensor of {tensor.dtype}"})
    if tensor.numel() * tensor.element_size() > wire.MAX_RESULT:
        raise Foreign({"too_large": list(tensor.shape), "bytes": tensor.numel() * tensor.element_size()})


def marks(frame: wire.Frame) -> list[Mark]:
    """Where each tensor of the frame lies and how: changes with `transpose_`, `resize_`, `.data =`."""
    return [_mark(tensor) for tensor in frame.tensors]


def _mark(tensor: Tensor) -> Mark:
    return tensor.data_ptr(), tuple(tensor.shape), tensor.stride()


def changed_inputs(call: dict[str, Any], frame: wire.Frame, before: bytes, marked: list[Mark]) -> list[int | str]:
    """The arguments (position or keyword) with a tensor whose memory or layout differs from what was received."""
    given = _numbers([*call.get("arguments", []), *call.get("keywords", {}).values()])
    if frame.body == before and all(_mark(frame.tensors[n]) == marked[n] for n in given):
        return []
    original = wire.decode(frame.raw, bytearray(before)).tensors

    def differs(item: Any) -> bool:
        if isinstance(item, list):
            return any(differs(inner) for inner in item)
        if not isinstance(item, dict):
            return False
        number = item.get("t")
        if type(number) is int:
            tensor = frame.tensors[number]
            if _mark(tensor) != marked[number]:
                return True
            return _bits(tensor) != _bits(original[number])
        return any(differs(inner) for inner in item.values())

    named = [*enumerate(call.get("arguments", [])), *call.get("keywords", {}).items()]
    return [name for name, item in named if differs(item)]


def _numbers(tree: Any) -> list[int]:
    """Of the tensors in an encoded value."""
    if isinstance(tree, dict) and type(tree.get("t")) is int:
        return [tree["t"]]
    items = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return [number for item in items for number in _numbers(item)]


def _bits(tensor: Tensor) -> bytes:
    return tensor.detach().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()


def is_own(value: Any) -> bool:
    """Whether the submission itself defined this."""
    return getattr(value, "__module__", None) == MODULE


def name_of(value: Any) -> str:
    """The type of a result that cannot travel, as its author would write it."""
    kind = type(value)
    module = kind.__module__
    return kind.__qualname__ if module in ("builtins", MODULE) else f"{module}.{kind.__qualname__}"


_reserve: list[mmap.mmap] = []


def keep_reserve() -> None:
    """Sets memory aside, so that a child that has no other left can still say where."""
    if sys.platform != "win32":
        _reserve.append(mmap.mmap(-1, 4 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))


def explain(error: BaseException) -> dict[str, Any]:
    """An exception as data: type, message, the last line of the learner's own file, its frames only."""
    if _reserve and isinstance(error, (MemoryError, RuntimeError)):
        _reserve.pop().close()
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == FILENAME]
    line = frames[-1].lineno if frames else None
    kind = "exception"
    if isinstance(error, restrict.Restricted):
        kind = "restricted"
    elif isinstance(error, MemoryError) or (type(error) is RuntimeError and _ALLOCATION.search(str(error))):
        kind = "memory"
    elif isinstance(error, (ImportError, NameError, SyntaxError)):
        kind = "load"
    if isinstance(error, SyntaxError) and error.filename == FILENAME and type(error.lineno) is int:
        line = error.lineno
    try:
        message = str(error)
    except BaseException as inner:
        message = f"<its __str__ raised {type(inner).__name__}>"
    return {
        "kind": kind,
        "type": type(error).__name__[:100],
        "message": message[:_MESSAGE_CAP],
        "line": line,
        "traceback": "".join(traceback.format_list(frames[-20:]))[-_TRACEBACK_CAP:],
    }
