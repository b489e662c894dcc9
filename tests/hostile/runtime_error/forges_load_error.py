# expect: CE|RTE
"""Answers the loading itself, with a malformed reason. Seen: common in judges that trust the runner's own report."""
import json
import os
import struct
import time

TEXT = json.dumps({"error": {"kind": "missing", "found": 3, "name": []}, "storages": [], "tensors": []}).encode()
os.write(3, struct.pack("<4sIQ", b"ATJ1", len(TEXT), 0) + TEXT)
time.sleep(1)


def attention(q, k, v, mask=None):
    return q
