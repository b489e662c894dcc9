# expect: WA|RTE|TLE
"""Writes well-formed answers of zeros while it loads, before anything was asked. Seen: SWE-bench/SWE-bench#601."""
import json
import os
import struct

import torch

HEADER = {"results": [{"value": {"t": 0}}], "storages": [[0, 8]], "tensors": [[0, "float32", [1, 1, 1, 2], [2, 2, 2, 1], 0]]}


def _send(header, body):
    text = json.dumps(header).encode()
    os.write(3, struct.pack("<4sIQ", b"ATJ1", len(text), len(body)) + text + body)


_send({"ok": True, "storages": [], "tensors": []}, b"")
for _ in range(20):
    _send(HEADER, bytes(8))


def attention(q, k, v, mask=None):
    return torch.zeros_like(v)
