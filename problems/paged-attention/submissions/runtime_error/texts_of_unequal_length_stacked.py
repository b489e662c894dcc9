"""Your code stacks the keys of all sequences as if they were equally long."""

import torch


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    lengths = context_lens.tolist()
    keys = torch.stack([k_cache[row].flatten(0, 1)[:n] for row, n in zip(block_table, lengths, strict=True)])
    values = torch.stack([v_cache[row].flatten(0, 1)[:n] for row, n in zip(block_table, lengths, strict=True)])
    weights = (torch.einsum("bhd,bshd->bhs", q, keys) * q.shape[-1] ** -0.5).softmax(-1)
    return torch.einsum("bhs,bshd->bhd", weights, values)
