"""Your dq and dk subtract the plain mean of the row's gradients: it is weighted by p."""

import math


def attention_backward(q, k, v, grad_out):
    scale = 1 / math.sqrt(q.shape[-1])
    p = (q @ k.mT * scale).softmax(-1)
    dp = grad_out @ v.mT
    ds = p * (dp - dp.mean(-1, keepdim=True)) * scale
    return ds @ k, ds.mT @ q, p.mT @ grad_out
