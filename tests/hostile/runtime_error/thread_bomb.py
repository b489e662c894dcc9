"""Thousands of threads that wait. Seen: common where only processes are counted."""
import threading

import torch

event = threading.Event()


def attention(q, k, v, mask=None):
    for _ in range(3000):
        threading.Thread(target=event.wait, daemon=True).start()
    event.wait()
    return torch.zeros_like(v)
