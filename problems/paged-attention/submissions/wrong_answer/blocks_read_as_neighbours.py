"""Your result takes the first block of a sequence and reads on in memory: the next block is the one that the table
names.
"""

import torch


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    N, block = k_cache.shape[:2]
    keys, values = k_cache.flatten(0, 1), v_cache.flatten(0, 1)
    rows = []
    for b, length in enumerate(context_lens.tolist()):
        slots = (int(block_table[b, 0]) * block + torch.arange(length)) % (N * block)
        weights = (torch.einsum("hd,shd->hs", q[b], keys[slots]) * q.shape[-1] ** -0.5).softmax(-1)
        rows.append(torch.einsum("hs,shd->hd", weights, values[slots]))
    return torch.stack(rows)
