"""One long row of slots, addressed by number; minus infinity and nan_to_num, in float32 for half inputs."""

import torch


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    wide = torch.promote_types(q.dtype, torch.float32)
    block = k_cache.shape[1]
    slots = (block_table.clamp(min=0)[:, :, None] * block + torch.arange(block)).flatten(1)
    keys = k_cache.flatten(0, 1)[slots].to(wide).transpose(1, 2)
    values = v_cache.flatten(0, 1)[slots].to(wide).transpose(1, 2)
    seen = torch.arange(slots.shape[1]) < context_lens[:, None]
    scores = (keys @ q.to(wide).unsqueeze(-1)).squeeze(-1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(~seen[:, None], -torch.inf)
    weights = torch.nan_to_num(torch.softmax(scores, -1))
    return (weights.unsqueeze(-2) @ values).squeeze(-2).to(q.dtype)
