"""Your code takes the logarithm of the weights: those of zero become NaN."""

import math


def attention_backward(q, k, v, grad_out):
    scale = 1 / math.sqrt(q.shape[-1])
    p = (q @ k.mT * scale).softmax(-1)
    dp = grad_out @ v.mT
    mean = (p * dp).sum(-1, keepdim=True)
    ds = p * (dp - mean) * scale + 0 * p.log()
    return ds @ k, ds.mT @ q, p.mT @ grad_out
