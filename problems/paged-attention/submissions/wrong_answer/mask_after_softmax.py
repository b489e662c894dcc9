"""Your result hides unused slots after the softmax: they have taken their share of the weight by then."""

import torch


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    keys, values = k_cache[block_table].flatten(1, 2), v_cache[block_table].flatten(1, 2)
    seen = torch.arange(keys.shape[1]) < context_lens[:, None]
    scores = torch.einsum("bhd,bshd->bhs", q, keys) * q.shape[-1] ** -0.5
    return torch.einsum("bhs,bshd->bhd", scores.softmax(-1) * seen[:, None], values)
