"""Your scale is rounded to float32, which costs float64 inputs half of their digits."""

import torch


def attention_backward(q, k, v, grad_out):
    scale = 1 / torch.tensor(float(q.shape[-1])).sqrt().item()
    p = (q @ k.mT * scale).softmax(-1)
    dp = grad_out @ v.mT
    ds = p * (dp - (p * dp).sum(-1, keepdim=True)) * scale
    return ds @ k, ds.mT @ q, p.mT @ grad_out
