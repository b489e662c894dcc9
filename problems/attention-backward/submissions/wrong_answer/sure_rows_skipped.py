"""Your dq and dk are zero where one key has nearly all the weight: the gradient is small there, but not zero."""

import math

import torch


def attention_backward(q, k, v, grad_out):
    scale = 1 / math.sqrt(q.shape[-1])
    p = (q @ k.mT * scale).softmax(-1)
    dp = grad_out @ v.mT
    ds = p * (dp - (p * dp).sum(-1, keepdim=True)) * scale
    ds = torch.where(p.amax(-1, keepdim=True) > 1 - 1e-7, torch.zeros_like(ds), ds)
    return ds @ k, ds.mT @ q, p.mT @ grad_out
