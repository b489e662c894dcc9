"""Your result equals a softmax by hand without subtracting the maximum: exp overflows for large scores and is 0/0
for very negative ones.
"""

import torch


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    rows = []
    for b, length in enumerate(context_lens.tolist()):
        keys = k_cache[block_table[b]].flatten(0, 1)[:length]
        values = v_cache[block_table[b]].flatten(0, 1)[:length]
        weights = (torch.einsum("hd,shd->hs", q[b], keys) * q.shape[-1] ** -0.5).exp()
        total = weights.sum(-1, keepdim=True) if length else torch.ones_like(q[b, :, :1])
        rows.append(torch.einsum("hs,shd->hd", weights, values) / total)
    return torch.stack(rows)
