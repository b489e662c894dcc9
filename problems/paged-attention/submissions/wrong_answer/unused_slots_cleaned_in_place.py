"""Your code clears unused slots in the caller's cache: inputs must stay as they are, and free slots are none of
its business.
"""

import torch


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    block, rows = k_cache.shape[1], []
    for b, length in enumerate(context_lens.tolist()):
        if length % block:
            last = block_table[b, length // block]
            with torch.no_grad():
                v_cache[last, length % block :] = 0.0
        keys = k_cache[block_table[b]].flatten(0, 1)[:length]
        values = v_cache[block_table[b]].flatten(0, 1)[:length]
        weights = (torch.einsum("hd,shd->hs", q[b], keys) * q.shape[-1] ** -0.5).softmax(-1)
        rows.append(torch.einsum("hs,shd->hd", weights, values))
    return torch.stack(rows)
