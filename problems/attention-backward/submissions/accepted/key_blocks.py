"""Blocks of keys: a first pass for the logsumexp and the output, a second one for the gradients."""

import math

import torch


def attention_backward(q, k, v, grad_out):
    wide = torch.promote_types(q.dtype, torch.float32)
    dtype, (q, k, v, grad_out) = q.dtype, (t.to(wide) for t in (q, k, v, grad_out))
    scale = 1 / math.sqrt(q.shape[-1])
    blocks = list(zip(k.split(4, dim=2), v.split(4, dim=2), strict=True))
    lse = torch.logsumexp(torch.cat([q @ keys.mT * scale for keys, _ in blocks], dim=-1), dim=-1, keepdim=True)
    out = sum(torch.exp(q @ keys.mT * scale - lse) @ values for keys, values in blocks)
    delta = (out * grad_out).sum(-1, keepdim=True)
    dq, dk, dv = torch.zeros_like(q), [], []
    for keys, values in blocks:
        p = torch.exp(q @ keys.mT * scale - lse)
        ds = p * (grad_out @ values.mT - delta) * scale
        dq += ds @ keys
        dk.append(ds.mT @ q)
        dv.append(p.mT @ grad_out)
    return dq.to(dtype), torch.cat(dk, dim=2).to(dtype), torch.cat(dv, dim=2).to(dtype)
