"""Your code looks up entries of -1 with a function that takes none: a table row ends where -1 begins."""

import torch


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    B, M = block_table.shape
    keys, values = (
        cache.index_select(0, block_table.flatten()).unflatten(0, (B, M)).flatten(1, 2) for cache in (k_cache, v_cache)
    )
    seen = torch.arange(keys.shape[1]) < context_lens[:, None]
    scores = torch.einsum("bhd,bshd->bhs", q, keys) * q.shape[-1] ** -0.5
    weights = torch.nan_to_num(scores.masked_fill(~seen[:, None], -torch.inf).softmax(-1))
    return torch.einsum("bhs,bshd->bhd", weights, values)
