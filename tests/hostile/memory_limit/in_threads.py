# expect: MLE|RTE|TLE
"""Several threads that take memory at once, so that the error comes where nobody looks. Seen: common where one thread is watched."""
import threading

import torch

kept = []


def _take():
    while True:
        kept.append(torch.ones(1 << 20))


def attention(q, k, v, mask=None):
    threads = [threading.Thread(target=_take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    raise MemoryError
