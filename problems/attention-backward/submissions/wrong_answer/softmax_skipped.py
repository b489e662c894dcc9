"""Your dq and dk pass over the softmax: the gradient of the scores is not that of the weights."""

import math


def attention_backward(q, k, v, grad_out):
    scale = 1 / math.sqrt(q.shape[-1])
    p = (q @ k.mT * scale).softmax(-1)
    dp = grad_out @ v.mT
    ds = dp * scale
    return ds @ k, ds.mT @ q, p.mT @ grad_out
