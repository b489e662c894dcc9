"""Your softmax subtracts one maximum from all rows: rows far below it underflow to 0/0."""

import math


def attention_backward(q, k, v, grad_out):
    scale = 1 / math.sqrt(q.shape[-1])
    s = q @ k.mT * scale
    p = (s - s.amax((-2, -1), keepdim=True)).exp()
    p = p / p.sum(-1, keepdim=True)
    dp = grad_out @ v.mT
    ds = p * (dp - (p * dp).sum(-1, keepdim=True)) * scale
    return ds @ k, ds.mT @ q, p.mT @ grad_out
