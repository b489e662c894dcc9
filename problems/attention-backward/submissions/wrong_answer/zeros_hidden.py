"""Your gradients leave out keys whose score is exactly 0: zero is a score like any other."""

import math


def attention_backward(q, k, v, grad_out):
    scale = 1 / math.sqrt(q.shape[-1])
    s = q @ k.mT * scale
    p = s.masked_fill((s == 0) & (s != 0).any(-1, keepdim=True), -math.inf).softmax(-1)
    dp = grad_out @ v.mT
    ds = p * (dp - (p * dp).sum(-1, keepdim=True)) * scale
    return ds @ k, ds.mT @ q, p.mT @ grad_out
