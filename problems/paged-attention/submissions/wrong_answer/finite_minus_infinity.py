"""Your result equals attention with -1e4 as minus infinity: where the scores of a text are as low as that, unused
slots get weight too.
"""

import torch


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    keys, values = k_cache[block_table].flatten(1, 2), v_cache[block_table].flatten(1, 2)
    unused = torch.arange(keys.shape[1]) >= context_lens[:, None]
    scores = torch.einsum("bhd,bshd->bhs", q, keys) * q.shape[-1] ** -0.5
    weights = scores.masked_fill(unused[:, None], -1e4).softmax(-1)
    return torch.einsum("bhs,bshd->bhd", weights * (context_lens > 0)[:, None, None], values)
