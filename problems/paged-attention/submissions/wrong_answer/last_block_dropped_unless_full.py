"""Your result leaves out a last block that is not full."""

import torch


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    block, rows = k_cache.shape[1], []
    for b, length in enumerate(context_lens.tolist()):
        used = block_table[b, : length // block]
        keys, values = k_cache[used].flatten(0, 1), v_cache[used].flatten(0, 1)
        weights = (torch.einsum("hd,shd->hs", q[b], keys) * q.shape[-1] ** -0.5).softmax(-1)
        rows.append(torch.einsum("hs,shd->hd", weights, values))
    return torch.stack(rows)
