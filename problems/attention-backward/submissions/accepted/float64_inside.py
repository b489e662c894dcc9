"""Computes in float64 with exponentials by hand, and casts back."""

import math

import torch


def attention_backward(q, k, v, grad_out):
    dtype = q.dtype
    q, k, v, grad_out = (t.double() for t in (q, k, v, grad_out))
    q = q / math.sqrt(q.shape[-1])
    scores = q @ k.mT
    p = torch.exp(scores - scores.amax(-1, keepdim=True))
    p /= p.sum(-1, keepdim=True)
    ds = p * (grad_out @ v.mT)
    ds -= p * ds.sum(-1, keepdim=True)
    dq = ds @ k / math.sqrt(q.shape[-1])
    return dq.to(dtype), (ds.mT @ q).to(dtype), (p.mT @ grad_out).to(dtype)
