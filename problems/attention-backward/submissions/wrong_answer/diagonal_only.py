"""Your dq and dk take p * (1 - p) for softmax's derivative: that is its diagonal, the other keys of
the row are missing.
"""

import math


def attention_backward(q, k, v, grad_out):
    scale = 1 / math.sqrt(q.shape[-1])
    p = (q @ k.mT * scale).softmax(-1)
    dp = grad_out @ v.mT
    ds = p * (1 - p) * dp * scale
    return ds @ k, ds.mT @ q, p.mT @ grad_out
