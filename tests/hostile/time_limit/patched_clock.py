"""All clocks stand still and sleep is short, while it really computes for ever. Seen: gpu-mode/reference-kernels#162."""
import time

import torch

for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
    setattr(time, name, lambda: 0.0)
    setattr(time, name + "_ns", lambda: 0)
sleep = time.sleep


def attention(q, k, v, mask=None):
    while True:
        sleep(0.01)
        torch.zeros(1)
