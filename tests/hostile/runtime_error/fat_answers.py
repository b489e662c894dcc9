"""Answers with 30 MB that nobody asked for, in every case. Seen: common in judges that keep what they receive."""
import json
import os
import struct


def attention(q, k, v, mask=None):
    text = json.dumps({"results": [{"value": None}] * 20, "storages": [], "tensors": []}).encode()
    left = memoryview(struct.pack("<4sIQ", b"ATJ1", len(text), 30 << 20) + text + bytes(30 << 20))
    while left:
        left = left[os.write(3, left) :]
    raise ValueError("nothing")
