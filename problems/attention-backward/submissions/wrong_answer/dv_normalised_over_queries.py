"""Your dv divides each key's weights by their sum over the queries: a key that is read more gets more gradient."""

import math


def attention_backward(q, k, v, grad_out):
    scale = 1 / math.sqrt(q.shape[-1])
    p = (q @ k.mT * scale).softmax(-1)
    dp = grad_out @ v.mT
    ds = p * (dp - (p * dp).sum(-1, keepdim=True)) * scale
    return ds @ k, ds.mT @ q, (p / p.sum(-2, keepdim=True)).mT @ grad_out
