"""Your result reads the last block of each sequence only: the query attends to all tokens."""

import torch


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    block, rows = k_cache.shape[1], []
    for b, length in enumerate(context_lens.tolist()):
        used = block_table[b, (length - 1) // block] if length else 0
        rest = length - (length - 1) // block * block if length else 0
        keys, values = k_cache[used][:rest], v_cache[used][:rest]
        weights = (torch.einsum("hd,shd->hs", q[b], keys) * q.shape[-1] ** -0.5).softmax(-1)
        rows.append(torch.einsum("hs,shd->hd", weights, values))
    return torch.stack(rows)
