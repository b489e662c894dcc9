"""Your code scales grad_out in place: the caller's tensor is changed."""

import math


def attention_backward(q, k, v, grad_out):
    scale = 1 / math.sqrt(q.shape[-1])
    p = (q @ k.mT * scale).softmax(-1)
    grad_out *= scale
    dp = grad_out @ v.mT
    ds = p * (dp - (p * dp).sum(-1, keepdim=True)) * scale
    return ds @ k, ds.mT @ q, p.mT @ grad_out
