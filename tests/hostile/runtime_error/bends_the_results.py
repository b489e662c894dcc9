# expect: RTE|WA|CE|MLE|RF
"""Well-framed answers whose results have missing, odd or hostile fields: whatever they are, it is no judge error. Seen: common in JSON protocols."""
import json
import os
import struct

VALUE = {"t": 0}
RESULTS = [
    {"results": []},
    {"results": None},
    {"results": {}},
    {"results": "AC"},
    {},
    {"ok": True, "verdict": "AC"},
    {"results": [None] * 20},
    {"results": [{}] * 20},
    {"results": [{"value": {"t": 99}}] * 20},
    {"results": [{"value": {"other": ["x"]}}] * 20},
    {"results": [{"value": {"tuple": {"t": 0}}}] * 20},
    {"results": [{"value": VALUE, "changed": [99, "nobody", None]}] * 20},
    {"results": [{"value": VALUE, "changed": 7}] * 20},
    {"results": [{"value": VALUE, "graph": "x", "attached": [9, -1]}] * 20},
    {"results": [{"value": VALUE, "attached": [0], "gradients": [99, "x", None]}] * 20},
    {"results": [{"value": VALUE, "attached": None, "gradients": {}}] * 20},
    {"results": [{"handle": -1, "parameters": [["W", 99, 1]], "buffers": None}] * 20},
    {"results": [{"not_module": {"a": 1}}] * 20},
    {"results": [{"foreign": [1, 2]}] * 20},
    {"results": [{"too_large": "x", "bytes": []}] * 20},
    {"results": [{"value": VALUE, "trace": {"largest_bytes": "x"}}] * 20},
    {"results": [{"error": None}] * 20},
    {"results": [{"error": {}}] * 20},
    {"results": [{"error": {"kind": "__class__", "type": 5, "message": [], "line": "x", "traceback": None}}] * 20},
    {"results": [{"error": {"kind": "exception", "type": "{0.__class__}", "message": "{x!r:>99999999}%s\ud800" * 2000, "line": -5, "traceback": "x" * 99999}}] * 2},
    {"results": [{"error": {"kind": "restricted", "type": "x", "message": {"a": 1}, "line": 10**30}}] * 20},
    {"error": {"kind": "syntax", "line": None, "column": "x", "message": 3, "text": None, "character": 7}},
    {"error": {"kind": "missing", "name": None, "found": 3}},
    {"error": "AC"},
    {"results": [[[[[[]]]]]] * 20},
]


def attention(q, k, v, mask=None):
    pick = (q.numel() * 11 + k.numel() * 5 + v.numel() + (mask is None)) % len(RESULTS)
    header = {**RESULTS[pick], "storages": [[0, 64]], "tensors": [[0, "float32", [1, 1, 4, 4], [16, 16, 4, 1], 0]]}
    text = json.dumps(header).encode()
    os.write(3, struct.pack("<4sIQ", b"ATJ1", len(text), 64) + text + bytes(64))
    os._exit(0)
