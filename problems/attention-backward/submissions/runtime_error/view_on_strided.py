"""Your code calls view() on inputs whose memory is not laid out that way."""

import math


def attention_backward(q, k, v, grad_out):
    scale = 1 / math.sqrt(q.shape[-1])
    p = (q @ k.mT * scale).softmax(-1)
    dp = (grad_out.view(-1, *grad_out.shape[2:]) @ v.view(-1, *v.shape[2:]).mT).view_as(p)
    ds = p * (dp - (p * dp).sum(-1, keepdim=True)) * scale
    return ds @ k, ds.mT @ q, p.mT @ grad_out
