"""Your code adds the gradients of earlier calls of the same sizes: each call stands alone."""

import math

KEPT = {}


def attention_backward(q, k, v, grad_out):
    scale = 1 / math.sqrt(q.shape[-1])
    p = (q @ k.mT * scale).softmax(-1)
    dp = grad_out @ v.mT
    ds = p * (dp - (p * dp).sum(-1, keepdim=True)) * scale
    dv = KEPT[v.shape, v.dtype] = KEPT.get((v.shape, v.dtype), 0) + p.mT @ grad_out
    return ds @ k, ds.mT @ q, dv
