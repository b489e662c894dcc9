"""Your result turns the gathered blocks into [B, H, S, D] by a reshape: that mixes heads and tokens; it is a
transpose that you need.
"""

import torch


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    B, H, D = q.shape
    keys = k_cache[block_table].reshape(B, H, -1, D)
    values = v_cache[block_table].reshape(B, H, -1, D)
    seen = torch.arange(keys.shape[2]) < context_lens[:, None]
    scores = torch.einsum("bhd,bhsd->bhs", q, keys) * D**-0.5
    weights = torch.nan_to_num(scores.masked_fill(~seen[:, None], -torch.inf).softmax(-1))
    return torch.einsum("bhs,bhsd->bhd", weights, values)
