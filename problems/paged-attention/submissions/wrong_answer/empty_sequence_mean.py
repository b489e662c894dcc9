"""Your result is a mean of stale values for a sequence of length 0: a large negative number makes all weights
equal. Such rows must be zeros.
"""

import torch


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    keys, values = k_cache[block_table].flatten(1, 2), v_cache[block_table].flatten(1, 2)
    unused = torch.arange(keys.shape[1]) >= context_lens[:, None]
    scores = torch.einsum("bhd,bshd->bhs", q, keys) * q.shape[-1] ** -0.5
    weights = scores.masked_fill(unused[:, None], torch.finfo(q.dtype).min).softmax(-1)
    return torch.einsum("bhs,bshd->bhd", weights, values)
