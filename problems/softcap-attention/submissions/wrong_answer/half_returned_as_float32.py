"""Half precision came in and float32 goes out: the result must have the dtype of the inputs."""

import math

import torch


def softcap_attention(q, k, v, cap):
    T, S = q.shape[-2], k.shape[-2]
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = cap * torch.tanh(scores / cap)
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, -math.inf)
    wide = torch.promote_types(v.dtype, torch.float32)
    return scores.to(wide).softmax(-1) @ v.to(wide)
