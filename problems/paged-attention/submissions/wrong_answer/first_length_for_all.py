"""Your result reads no sequence further than the first one: each has its own length."""

import torch


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    length = int(context_lens[0])
    keys = k_cache[block_table].flatten(1, 2)[:, :length]
    values = v_cache[block_table].flatten(1, 2)[:, :length]
    unused = (torch.arange(keys.shape[1]) >= context_lens[:, None])[:, None]
    scores = torch.einsum("bhd,bshd->bhs", q, keys) * q.shape[-1] ** -0.5
    weights = scores.masked_fill(unused, float("-inf")).softmax(-1).masked_fill(unused, 0.0)
    return torch.einsum("bhs,bshd->bhd", weights, values)
