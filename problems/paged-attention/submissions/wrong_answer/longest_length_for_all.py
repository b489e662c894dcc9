"""Your result reads every sequence up to the longest length: each has its own."""

import torch


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    longest = int(context_lens.max())
    keys = k_cache[block_table].flatten(1, 2)[:, :longest]
    values = v_cache[block_table].flatten(1, 2)[:, :longest]
    scores = torch.einsum("bhd,bshd->bhs", q, keys) * q.shape[-1] ** -0.5
    return torch.einsum("bhs,bshd->bhd", scores.softmax(-1), values)
