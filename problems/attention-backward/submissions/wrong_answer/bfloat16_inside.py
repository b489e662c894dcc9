"""Your gradients are only as exact as bfloat16: float16 inputs were computed in the coarser of the two."""

import math

import torch


def attention_backward(q, k, v, grad_out):
    if q.dtype == torch.float16:
        found = attention_backward(*(t.bfloat16() for t in (q, k, v, grad_out)))
        return tuple(t.half() for t in found)
    scale = 1 / math.sqrt(q.shape[-1])
    p = (q @ k.mT * scale).softmax(-1)
    dp = grad_out @ v.mT
    ds = p * (dp - (p * dp).sum(-1, keepdim=True)) * scale
    return ds @ k, ds.mT @ q, p.mT @ grad_out
