"""Your result is computed in float32 and returned so: it must go back to the dtype of the input."""

import torch


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    wide = torch.promote_types(q.dtype, torch.float32)
    keys, values = k_cache[block_table].flatten(1, 2).to(wide), v_cache[block_table].flatten(1, 2).to(wide)
    seen = torch.arange(keys.shape[1]) < context_lens[:, None]
    scores = torch.einsum("bhd,bshd->bhs", q.to(wide), keys) * q.shape[-1] ** -0.5
    weights = torch.nan_to_num(scores.masked_fill(~seen[:, None], -torch.inf).softmax(-1))
    return torch.einsum("bhs,bshd->bhd", weights, values)
