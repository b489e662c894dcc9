"""Your result sets the scores of unused slots to zero: a score of 0 still has the weight exp(0) = 1."""

import torch


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    keys, values = k_cache[block_table].flatten(1, 2), v_cache[block_table].flatten(1, 2)
    seen = torch.arange(keys.shape[1]) < context_lens[:, None]
    scores = torch.einsum("bhd,bshd->bhs", q, keys) * q.shape[-1] ** -0.5
    return torch.einsum("bhs,bshd->bhd", (scores * seen[:, None]).softmax(-1), values)
