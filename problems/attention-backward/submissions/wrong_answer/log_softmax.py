"""Your dq and dk are those of a log-softmax."""

import math


def attention_backward(q, k, v, grad_out):
    scale = 1 / math.sqrt(q.shape[-1])
    p = (q @ k.mT * scale).softmax(-1)
    dp = grad_out @ v.mT
    ds = (dp - p * dp.sum(-1, keepdim=True)) * scale
    return ds @ k, ds.mT @ q, p.mT @ grad_out
