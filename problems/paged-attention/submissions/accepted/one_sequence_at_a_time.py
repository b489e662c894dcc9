"""A loop over sequences; the row of tokens ends where the text ends."""

import torch


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    block = k_cache.shape[1]
    rows = []
    for query, table, length in zip(q, block_table, context_lens.tolist(), strict=True):
        used = table[: (length + block - 1) // block]
        keys = k_cache[used].flatten(0, 1)[:length]
        values = v_cache[used].flatten(0, 1)[:length]
        weights = torch.softmax(torch.einsum("hd,shd->hs", query, keys) * q.shape[-1] ** -0.5, dim=-1)
        rows.append(torch.einsum("hs,shd->hd", weights, values))
    return torch.stack(rows)
