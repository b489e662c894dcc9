"""Your gradients are those of causal attention: there is no mask."""

import math

import torch


def attention_backward(q, k, v, grad_out):
    scale = 1 / math.sqrt(q.shape[-1])
    T, S = q.shape[-2], k.shape[-2]
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    p = (q @ k.mT * scale).masked_fill(future, -math.inf).softmax(-1)
    dp = grad_out @ v.mT
    ds = p * (dp - (p * dp).sum(-1, keepdim=True)) * scale
    return ds @ k, ds.mT @ q, p.mT @ grad_out
