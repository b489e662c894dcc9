"""Your dq and dk leave out the scale on the way back: it belongs to both directions."""

import math


def attention_backward(q, k, v, grad_out):
    scale = 1 / math.sqrt(q.shape[-1])
    p = (q @ k.mT * scale).softmax(-1)
    dp = grad_out @ v.mT
    ds = p * (dp - (p * dp).sum(-1, keepdim=True))
    return ds @ k, ds.mT @ q, p.mT @ grad_out
