"""Your softmax always runs in float32, which costs float64 inputs half of their digits."""

import math


def attention_backward(q, k, v, grad_out):
    scale = 1 / math.sqrt(q.shape[-1])
    p = (q @ k.mT * scale).float().softmax(-1).to(q.dtype)
    dp = grad_out @ v.mT
    ds = p * (dp - (p * dp).sum(-1, keepdim=True)) * scale
    return ds @ k, ds.mT @ q, p.mT @ grad_out
