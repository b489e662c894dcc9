"""Your result reads all that the table leads to: the rest of the last block, and for -1 the last block of the
pool.
"""

import torch


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    keys, values = k_cache[block_table].flatten(1, 2), v_cache[block_table].flatten(1, 2)
    scores = torch.einsum("bhd,bshd->bhs", q, keys) * q.shape[-1] ** -0.5
    return torch.einsum("bhs,bshd->bhd", scores.softmax(-1), values)
