"""Your result is right to float32 accuracy only: a step inside runs in float32 even when the inputs are float64."""

import torch


def gqa(q, k, v):
    group = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
    scores = q @ k.mT * q.shape[-1] ** -0.5
    return torch.softmax(scores, dim=-1, dtype=torch.float32).to(q.dtype) @ v
