"""Keys in blocks of four with a running maximum and a running sum."""

import torch


def attention(q, k, v, mask=None, block=4):
    S = k.shape[-2]
    if mask is not None:
        mask = mask.expand(*q.shape[:-1], S)
    wide = torch.float64 if q.dtype == torch.float64 else torch.float32
    top = torch.full((*q.shape[:-1], 1), -torch.inf, dtype=wide)
    total = torch.zeros_like(top)
    out = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=wide)
    for start in range(0, S, block):
        part = slice(start, min(start + block, S))
        scores = q.to(wide) @ k[..., part, :].to(wide).mT / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask[..., part], -torch.inf)
        new_top = torch.maximum(top, scores.amax(-1, keepdim=True))
        base = torch.where(new_top.isinf(), 0.0, new_top)
        shrink, weights = torch.exp(top - base), torch.exp(scores - base)
        total = total * shrink + weights.sum(-1, keepdim=True)
        out = out * shrink + weights @ v[..., part, :].to(wide)
        top = new_top
    return (out / torch.where(total == 0, 1.0, total)).to(q.dtype)
