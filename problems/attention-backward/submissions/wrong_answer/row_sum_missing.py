"""Your dq and dk leave out what softmax subtracts: the mean of the row's gradients under its weights."""

import math


def attention_backward(q, k, v, grad_out):
    scale = 1 / math.sqrt(q.shape[-1])
    p = (q @ k.mT * scale).softmax(-1)
    dp = grad_out @ v.mT
    ds = p * (dp) * scale
    return ds @ k, ds.mT @ q, p.mT @ grad_out
