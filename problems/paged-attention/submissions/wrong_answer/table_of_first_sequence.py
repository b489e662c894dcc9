"""Your result reads every sequence through the first row of the table."""

import torch


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    rows = []
    for b, length in enumerate(context_lens.tolist()):
        keys = k_cache[block_table[0]].flatten(0, 1)[:length]
        values = v_cache[block_table[0]].flatten(0, 1)[:length]
        weights = (torch.einsum("hd,shd->hs", q[b], keys) * q.shape[-1] ** -0.5).softmax(-1)
        rows.append(torch.einsum("hs,shd->hd", weights, values))
    return torch.stack(rows)
