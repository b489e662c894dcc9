"""Your code stacks the gradients: q, k and v may differ in length and width."""

import math

import torch


def attention_backward(q, k, v, grad_out):
    scale = 1 / math.sqrt(q.shape[-1])
    p = (q @ k.mT * scale).softmax(-1)
    dp = grad_out @ v.mT
    ds = p * (dp - (p * dp).sum(-1, keepdim=True)) * scale
    return torch.stack([ds @ k, ds.mT @ q, p.mT @ grad_out])
