"""Your code scales q in place: the caller's tensor has changed after the call."""

import torch


def gqa(q, k, v):
    group = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
    with torch.no_grad():
        q.mul_(q.shape[-1] ** -0.5)
    return (q @ k.mT).softmax(-1) @ v
