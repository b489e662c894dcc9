"""A thread that never gives up the interpreter lock, with the switch interval at its longest. Seen: common where a watchdog thread keeps the time."""
import sys
import threading

import torch

sys.setswitchinterval(1e6)


def _hold():
    while True:
        pass


def attention(q, k, v, mask=None):
    threading.Thread(target=_hold, daemon=True).start()
    while True:
        torch.zeros(1)
