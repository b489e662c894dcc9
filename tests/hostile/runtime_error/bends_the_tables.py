# expect: RTE|WA
"""Well-framed answers whose tables lie: storages past the body, strides and shapes past the storage, unknown dtypes, sizes that overflow. Seen: common in tensor formats."""
import json
import os
import struct

ONE = [0, "float32", [1], [1], 0]
TABLES = [
    ([[0, 1 << 40]], [ONE]),
    ([[-64, 64]], [ONE]),
    ([[0, 4]], [[0, "float32", [1 << 39, 1 << 39], [0, 0], 0]]),
    ([[0, 4]], [[0, "float32", [1 << 39], [0], 0]]),
    ([[0, 4]], [[0, "float32", [2], [-1], 0]]),
    ([[0, 4]], [[0, "float32", [1], [1], 1 << 62]]),
    ([[0, 4]], [[0, "float32", [1], [1], -1]]),
    ([[0, 4]], [[7, "float32", [1], [1], 0]]),
    ([[0, 4]], [[0, "__class__", [1], [1], 0]]),
    ([[0, 4]], [[0, ["float32"], [1], [1], 0]]),
    ([[0, 4]], [[0, "float32", [1] * 70, [1] * 70, 0]]),
    ([[0, 4]], [[0, "float32", [0, 1 << 39, 1 << 39], [1, 1, 1], 0]]),
    ([[0, 4]], [[True, "float32", [True], [True], False]]),
    ([[0.5, 4]], [ONE]),
    ([[0, 4]] * 50_000, [ONE] * 20_000),
    ({"0": [0, 4]}, [ONE]),
    ([[0, 4]], {"0": ONE}),
    (None, None),
]


def attention(q, k, v, mask=None):
    pick = (q.numel() * 7 + k.numel() * 3 + v.numel() + (mask is None)) % len(TABLES)
    storages, tensors = TABLES[pick]
    text = json.dumps({"results": [{"value": {"t": 0}}] * 3, "storages": storages, "tensors": tensors}).encode()
    while True:
        os.write(3, struct.pack("<4sIQ", b"ATJ1", len(text), 64) + text + bytes(64))
