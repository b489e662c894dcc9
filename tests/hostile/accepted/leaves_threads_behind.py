"""Right, but leaves threads, exit handlers and signal handlers that would outlive the call. Seen: common in background loggers."""
import atexit
import os
import signal
import threading
import time

import torch


def _late():
    os.write(1, b"LEAK exit handler ran\n")
    open("/tmp/h0stile-late", "w").close()


atexit.register(_late)
threading._register_atexit(_late)
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGALRM):
    signal.signal(number, lambda *args: _late())


def _tick():
    while True:
        time.sleep(0.001)


for daemon in (True, False):
    threading.Thread(target=_tick, daemon=daemon).start()


def attention(q, k, v, mask=None):
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, -1)) @ v
