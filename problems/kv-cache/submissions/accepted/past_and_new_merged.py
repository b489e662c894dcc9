"""Past and new tokens scored apart, joined by one maximum and one sum."""

import torch


def cached_attention(q, k_new, v_new, k_past=None, v_past=None):
    wide = torch.promote_types(q.dtype, torch.float32)
    T = q.shape[2]
    query = q.to(wide) * q.shape[-1] ** -0.5
    new = query @ k_new.to(wide).transpose(-1, -2)
    new = new.masked_fill(~torch.ones(T, T, dtype=torch.bool).tril(), float("-inf"))
    top = new.amax(-1, keepdim=True)
    if k_past is None or k_past.shape[2] == 0:
        weights = torch.exp(new - top)
        return (weights @ v_new.to(wide) / weights.sum(-1, keepdim=True)).to(q.dtype)
    past = query @ k_past.to(wide).transpose(-1, -2)
    top = torch.maximum(top, past.amax(-1, keepdim=True))
    old, new = torch.exp(past - top), torch.exp(new - top)
    total = old.sum(-1, keepdim=True) + new.sum(-1, keepdim=True)
    return ((old @ v_past.to(wide) + new @ v_new.to(wide)) / total).to(q.dtype)
