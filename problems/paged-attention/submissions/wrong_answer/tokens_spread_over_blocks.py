"""Your result deals the tokens out over the blocks in turn: a block is filled before the next one begins."""

import torch


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    block, rows = k_cache.shape[1], []
    for b, length in enumerate(context_lens.tolist()):
        count = max(1, -(-length // block))
        positions = torch.arange(length)
        at = block_table[b, positions % count], positions // count
        weights = (torch.einsum("hd,shd->hs", q[b], k_cache[at]) * q.shape[-1] ** -0.5).softmax(-1)
        rows.append(torch.einsum("hs,shd->hd", weights, v_cache[at]))
    return torch.stack(rows)
