# expect: WA|RTE
"""Your code takes the caches for [N, H, block, D]: slots come before heads."""

import torch


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    keys = k_cache[block_table].transpose(1, 2).flatten(2, 3)
    values = v_cache[block_table].transpose(1, 2).flatten(2, 3)
    seen = torch.arange(keys.shape[2]) < context_lens[:, None]
    scores = (keys @ q.unsqueeze(-1)).squeeze(-1) * q.shape[-1] ** -0.5
    weights = torch.nan_to_num(scores.masked_fill(~seen[:, None], -torch.inf).softmax(-1))
    return (weights.unsqueeze(-2) @ values).squeeze(-2)
