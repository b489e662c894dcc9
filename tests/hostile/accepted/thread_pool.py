"""One thread per head, honestly. Seen: common in code that wants to be fast."""
from concurrent.futures import ThreadPoolExecutor

import torch

pool = ThreadPoolExecutor(4)


def attention(q, k, v, mask=None):
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    with_grad = torch.is_grad_enabled()

    def head(h):
        with torch.set_grad_enabled(with_grad):
            return torch.nan_to_num(torch.softmax(scores[:, h], -1)) @ v[:, h]

    return torch.stack(list(pool.map(head, range(q.shape[1]))), 1)
