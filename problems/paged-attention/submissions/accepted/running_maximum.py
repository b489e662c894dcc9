"""Column by column of the table, with a running maximum and sum, as a kernel does it."""

import torch


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    block = k_cache.size(1)
    wide = torch.promote_types(q.dtype, torch.float32)
    top = torch.full((*q.shape[:2], 1), -torch.inf, dtype=wide)
    total, out = torch.zeros_like(top), torch.zeros(q.shape, dtype=wide)
    for column, ids in enumerate(block_table.t()):
        keys, values = k_cache[ids].to(wide), v_cache[ids].to(wide)
        scores = torch.einsum("bhd,bshd->bhs", q.to(wide), keys) / q.size(-1) ** 0.5
        seen = column * block + torch.arange(block) < context_lens[:, None]
        scores = torch.where(seen[:, None], scores, -torch.inf)
        new_top = torch.maximum(top, scores.amax(-1, keepdim=True))
        base = torch.where(new_top.isinf(), 0.0, new_top)
        shrink, weights = torch.exp(top - base), torch.exp(scores - base)
        total = total * shrink + weights.sum(-1, keepdim=True)
        out = out * shrink + torch.einsum("bhs,bshd->bhd", weights, values)
        top = new_top
    return (out / torch.where(total == 0, 1.0, total)).to(q.dtype)
