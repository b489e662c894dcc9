"""Your dk and dv are summed over the heads: each head has keys and values of its own."""

import math


def attention_backward(q, k, v, grad_out):
    scale = 1 / math.sqrt(q.shape[-1])
    p = (q @ k.mT * scale).softmax(-1)
    dp = grad_out @ v.mT
    ds = p * (dp - (p * dp).sum(-1, keepdim=True)) * scale
    dk, dv = ds.mT @ q, p.mT @ grad_out
    return ds @ k, dk.sum(1, keepdim=True).expand_as(dk), dv.sum(1, keepdim=True).expand_as(dv)
