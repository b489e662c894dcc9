"""A softmax for each block, merged pairwise by the logarithms of their sums."""

import torch


def flash_attention(q, k, v, block_size):
    out, lse = None, None
    for start in range(0, k.shape[-2], block_size):
        keys, values = k[:, :, start : start + block_size], v[:, :, start : start + block_size]
        scores = torch.einsum("bhtd,bhsd->bhts", q, keys) * q.shape[-1] ** -0.5
        mine = torch.logsumexp(scores, dim=-1, keepdim=True)
        part = torch.einsum("bhts,bhsv->bhtv", scores.softmax(-1), values)
        if out is None:
            out, lse = part, mine
        else:
            both = torch.logaddexp(lse, mine)
            out = out * torch.exp(lse - both) + part * torch.exp(mine - both)
            lse = both
    return out
