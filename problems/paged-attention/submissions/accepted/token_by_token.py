"""Looks up each token's slot in plain Python; sums exponentials by hand."""

import torch


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    block, out = k_cache.size(1), []
    for b, table in enumerate(block_table.tolist()):
        slots = [(table[p // block], p % block) for p in range(int(context_lens[b]))]
        if not slots:
            out.append(q[b] * 0)
            continue
        keys = torch.stack([k_cache[at] for at in slots])
        values = torch.stack([v_cache[at] for at in slots])
        scores = (keys * q[b]).sum(-1, keepdim=True) / q.size(-1) ** 0.5
        weights = torch.exp(scores - scores.amax(0))
        out.append((weights * values).sum(0) / weights.sum(0))
    return torch.stack(out)
