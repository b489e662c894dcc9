"""Right, and prints a megabyte of markup, terminal escapes, invalid UTF-8, NUL and surrogates. Seen: judge0/judge0#496."""
import logging
import sys
import warnings

import torch

logging.basicConfig(level=logging.DEBUG)
print("<script>alert('at import')</script>" * 100)


def attention(q, k, v, mask=None):
    print("\x1b]0;title\x07\x1b[2J\x1b[31m<img src=x onerror=alert(1)>\r\b\x9b5m\u202e\ufeff")
    sys.stdout.flush()
    sys.stdout.buffer.write(b"\xff\xfe\x00\xc3\x28 no newline" * 1000)
    print("\ud800 lone", file=sys.stderr)
    sys.stderr.write("x" * 10_000)
    logging.debug("debug %s", "message")
    warnings.warn("careful", stacklevel=2)
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, -1)) @ v
