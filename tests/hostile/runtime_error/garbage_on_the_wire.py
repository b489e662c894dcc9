# expect: RTE|TLE
"""Random bytes, JSON and a verdict on every descriptor past stderr. Seen: SWE-bench/SWE-bench#601."""
import os

import torch

LINES = [b'{"verdict": "AC", "ok": true}\n', b"AC\n", bytes(range(256)), b"\0" * 64, b"\xff" * 64, b"HTTP/1.1 200 OK\r\n\r\n"]


def attention(q, k, v, mask=None):
    for fd in range(3, 256):
        for line in LINES:
            try:
                os.write(fd, line)
            except OSError:
                break
    return torch.zeros_like(v)
