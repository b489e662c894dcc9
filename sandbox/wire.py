"""Frames between the host and a sandboxed process: values only, never code.

    +------+------------+-----------+-------------+---------------------------+
    | ATJ1 | header u32 | body u64  | header JSON | body: storages, 64-aligned |
    +------+------------+-----------+-------------+---------------------------+

The header holds the message; a tensor in it is `{"t": 3}`, an index into `tensors`. `tensors` gives storage, dtype,
shape, stride and offset (in elements), `storages` gives start and size in the body. Inputs keep their layout: two
tensors over one storage arrive so, stride 0 too. Results are contiguous, one storage each.

The decoder is the attack surface: sizes are checked before anything is read, dtypes come from a closed table, and
whatever is wrong is a `WireError`. Nothing is unpickled, evaluated or looked up by a received name.
"""

from __future__ import annotations

import json
import struct
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

MAGIC = b"ATJ1"
PREFIX = struct.Struct("<4sIQ")
MAX_HEADER = 1 << 20
MAX_BODY = 1 << 28
MAX_RESULT = 1 << 24
MAX_TENSORS = 4096
MAX_DEPTH = 16
MAX_ITEMS = 10_000
MAX_TEXT = 100_000
MAX_INT_BITS = 13_000
MAX_DIMS = 16
ALIGN = 64

DTYPES: dict[str, torch.dtype] = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16,
        torch.int8, torch.uint8, torch.bool, torch.complex64, torch.complex128,
    )
}  # fmt: skip
# `json.dumps` and `json.loads` would make an encoder, and guess an encoding, for each frame
_to_json = json.JSONEncoder(separators=(",", ":")).encode
_from_json = json.JSONDecoder().decode
NAMES = {dtype: name for name, dtype in DTYPES.items()}


class WireError(Exception):
    """The bytes are no frame. Whose fault it is depends on who sent them."""


@dataclass(frozen=True)
class Frame:
    """A decoded message: `header` without its tables, `tensors` over `body`; `raw` is the header as received."""

    header: dict[str, Any]
    tensors: list[Tensor]
    body: bytearray
    raw: bytes


class Other:
    """Stands for a value that cannot travel: only the name of its type does."""

    def __init__(self, name: str) -> None:
        self.name = name


def encode_value(value: Any, tensors: list[Tensor], other: Callable[[Any], str] | None = None) -> Any:
    """A tree of None, bool, int, float, str, list, tuple, dict and tensors as JSON; tensors are appended to `tensors`.

    What is none of these, or too large, becomes `{"other": name}` where `other` names it, else a TypeError. Only exact
    types count: a subclass of Tensor is another thing, whatever it says about itself.
    """
    left = MAX_ITEMS

    def walk(value: Any, depth: int) -> Any:
        nonlocal left
        kind = type(value)
        left -= 1
        if value is None or kind in (bool, float):
            return value
        if kind is int and value.bit_length() <= MAX_INT_BITS:  # Python refuses to print much larger ones
            return value
        if kind is str and len(value) <= MAX_TEXT:
            return value
        if kind in (Tensor, torch.nn.Parameter):
            tensors.append(value)
            return {"t": len(tensors) - 1}
        if depth < MAX_DEPTH and left > 0 and issubclass(kind, (list, tuple, dict)) and len(value) <= left:
            if kind is list:
                return [walk(item, depth + 1) for item in value]
            if issubclass(kind, tuple):
                return {"tuple": [walk(item, depth + 1) for item in tuple.__iter__(value)]}
            if kind is dict and all(type(key) is str for key in value):
                return {"dict": {key: walk(item, depth + 1) for key, item in value.items()}}
        if other is None:
            raise TypeError(f"a {kind.__name__} cannot be sent to a submission")
        return {"other": other(value)}

    return walk(value, 0)


def decode_value(tree: Any, tensors: list[Tensor], depth: int = 0) -> Any:
    """The inverse of `encode_value`; `{"other": name}` becomes an `Other`."""
    if tree is None or isinstance(tree, (bool, int, float, str)):
        return tree
    if depth > MAX_DEPTH:
        raise WireError("a value is nested too deeply")
    if isinstance(tree, list):
        return [decode_value(item, tensors, depth + 1) for item in tree]
    if not isinstance(tree, dict) or len(tree) != 1:
        raise WireError("a value is malformed")
    ((kind, content),) = tree.items()
    if kind == "t" and type(content) is int and 0 <= content < len(tensors):
        return tensors[content]
    if kind == "tuple" and isinstance(content, list):
        return tuple(decode_value(item, tensors, depth + 1) for item in content)
    if kind == "dict" and isinstance(content, dict):
        return {key: decode_value(item, tensors, depth + 1) for key, item in content.items()}
    if kind == "other" and isinstance(content, str):
        return Other(content[:200])
    raise WireError("a value is malformed")


def encode(header: dict[str, Any], tensors: list[Tensor], *, keep_layout: bool = True) -> bytes:
    """A frame. Raises WireError where it would be larger than a decoder takes."""
    parts: list[bytes] = []
    storages: list[tuple[int, int]] = []
    described = []
    place = 0

    def append(data: bytes) -> int:
        nonlocal place
        storages.append((place, len(data)))
        padding = -len(data) % ALIGN
        parts.append(data + b"\0" * padding)
        place += len(data) + padding
        return len(storages) - 1

    pointers = [t.untyped_storage().data_ptr() if t.numel() else 0 for t in tensors] if keep_layout else []
    shared = {pointer for pointer, count in Counter(pointers).items() if count > 1 and pointer}
    spans = _spans([t for t, p in zip(tensors, pointers, strict=True) if p in shared]) if shared else {}
    numbers: dict[int, int] = {}
    for index, tensor in enumerate(tensors):
        tensor = tensor.detach()
        pointer = pointers[index] if keep_layout else 0
        offset: int = 0
        if not keep_layout or (pointer not in shared and tensor.is_contiguous()):
            tensor = tensor.resolve_conj().resolve_neg().contiguous()
            number = append(_bytes(tensor))
        else:
            low, high = spans[pointer] if pointer in shared else _spans([tensor]).get(pointer, (0, 0))
            if pointer not in numbers:
                numbers[pointer] = append(_span_bytes(tensor, low, high))
            number = numbers[pointer]
            offset = int(tensor.storage_offset()) - low // tensor.element_size() if tensor.numel() else 0
        stride = list(tensor.stride()) if tensor.numel() or not keep_layout else [0] * tensor.dim()
        described.append([number, NAMES[tensor.dtype], list(tensor.shape), stride, offset])
    text = _to_json({**header, "storages": storages, "tensors": described}).encode()
    if len(text) > MAX_HEADER or place > MAX_BODY:
        raise WireError(f"a frame of {len(text)} + {place} bytes is too large")
    return b"".join((PREFIX.pack(MAGIC, len(text), place), text, *parts))


def _spans(tensors: list[Tensor]) -> dict[int, tuple[int, int]]:
    """Per storage the bytes [low, high) that any of the tensors touches, low on a multiple of 16."""
    spans: dict[int, tuple[int, int]] = {}
    for tensor in tensors:
        if not tensor.numel():
            continue
        size = tensor.element_size()
        low = tensor.storage_offset() * size // 16 * 16
        last = tensor.storage_offset() + sum((n - 1) * s for n, s in zip(tensor.shape, tensor.stride(), strict=True))
        key = tensor.untyped_storage().data_ptr()
        old = spans.get(key, (low, 0))
        spans[key] = (min(low, old[0]), max((last + 1) * size, old[1]))
    return spans


def _span_bytes(tensor: Tensor, low: int, high: int) -> bytes:
    if high <= low:
        return b""
    flat = torch.empty(0, dtype=torch.uint8, device="cpu").set_(tensor.untyped_storage())
    return flat[low:high].numpy().tobytes()


def _bytes(tensor: Tensor) -> bytes:
    if not tensor.numel():
        return b""
    if tensor.dtype == torch.bfloat16:  # numpy has none
        tensor = tensor.view(torch.int16)
    return tensor.numpy().tobytes()


def read_prefix(data: bytes, *, max_body: int = MAX_BODY) -> tuple[int, int]:
    """Sizes of header and body from the first `PREFIX.size` bytes, checked against the caps."""
    magic, header_size, body_size = PREFIX.unpack(data)
    if magic != MAGIC or not 2 <= header_size <= MAX_HEADER or body_size > max_body:
        raise WireError("this is no frame")
    return header_size, body_size


def decode(header_bytes: bytes, body: bytearray, *, contiguous: bool = False) -> Frame:
    """A frame from its two parts.

    With `contiguous` a layout that repeats or skips elements is refused, and so are tensors that share bytes: what is
    made of them is then no larger than the body.
    """
    try:
        header = _from_json(header_bytes.decode())
    except (ValueError, RecursionError):
        raise WireError("the header is no JSON") from None
    if not isinstance(header, dict):
        raise WireError("the header is no object")
    storages, described = header.pop("storages", None), header.pop("tensors", None)
    if not isinstance(storages, list) or not isinstance(described, list):
        raise WireError("the header has no tables")
    if max(len(storages), len(described)) > MAX_TENSORS:
        raise WireError("the header has too many tensors")
    _check_storages(storages, len(body), apart=contiguous)
    tensors = [_tensor(entry, storages, body, contiguous) for entry in described]
    if contiguous and any(entry[0] != place for place, entry in enumerate(described)):
        raise WireError("results share a storage")
    return Frame(header, tensors, body, header_bytes)


def _check_storages(storages: list[Any], size: int, *, apart: bool) -> None:
    end = 0
    for entry in storages:
        if not (isinstance(entry, list) and len(entry) == 2 and all(type(n) is int and n >= 0 for n in entry)):
            raise WireError("a storage is malformed")
        if entry[0] % ALIGN or entry[0] + entry[1] > size:
            raise WireError("a storage lies outside the body")
        if apart and entry[0] < end:
            raise WireError("storages overlap")
        end = entry[0] + entry[1]


def _tensor(entry: Any, storages: list[list[int]], body: bytearray, contiguous: bool) -> Tensor:
    if not isinstance(entry, list) or len(entry) != 5:
        raise WireError("a tensor is malformed")
    number, name, shape, stride, offset = entry
    dtype = DTYPES.get(name) if isinstance(name, str) else None
    if dtype is None or type(number) is not int or not 0 <= number < len(storages):
        raise WireError("a tensor has an unknown dtype or storage")
    if not isinstance(shape, list) or not isinstance(stride, list) or len(shape) != len(stride):
        raise WireError("a tensor has no shape")
    if len(shape) > MAX_DIMS or not all(type(n) is int and 0 <= n < 1 << 40 for n in [*shape, *stride, offset]):
        raise WireError("a tensor has a malformed shape")
    start, size = storages[number]
    numel, last, packed = 1, offset, 1
    for n, s in zip(reversed(shape), reversed(stride), strict=True):
        if contiguous and n > 1 and s != packed and 0 not in shape:  # an empty tensor has strides of any kind
            raise WireError("a result is not contiguous")
        packed *= max(n, 1)
        numel *= n
        last += (n - 1) * s
    if numel == 0:
        if packed >= 1 << 40:
            raise WireError("a tensor has a malformed shape")
        return torch.empty(shape, dtype=dtype, device="cpu")
    if (last + 1) * dtype.itemsize > size or numel * dtype.itemsize > MAX_BODY:
        raise WireError("a tensor lies outside its storage")
    flat = torch.frombuffer(body, dtype=dtype, count=last + 1 - offset, offset=start + offset * dtype.itemsize)
    return flat.as_strided(shape, stride)
