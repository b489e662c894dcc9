"""Your code asks for the maximum of no scores at all: a length may be 0."""

import torch


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    rows = []
    for b, length in enumerate(context_lens.tolist()):
        keys = k_cache[block_table[b]].flatten(0, 1)[:length]
        values = v_cache[block_table[b]].flatten(0, 1)[:length]
        scores = torch.einsum("hd,shd->hs", q[b], keys) * q.shape[-1] ** -0.5
        weights = torch.exp(scores - scores.amax(-1, keepdim=True))
        rows.append(torch.einsum("hs,shd->hd", weights, values) / weights.sum(-1, keepdim=True))
    return torch.stack(rows)
