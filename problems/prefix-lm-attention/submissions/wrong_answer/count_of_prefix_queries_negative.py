"""Your count of queries in the prefix is negative where the prefix ends in the history: a slice then counts from the
end.
"""

import torch
import torch.nn.functional as F


def prefix_lm_attention(q, k, v, prefix_len):
    T, S = q.shape[-2], k.shape[-2]
    n = prefix_len - (S - T)
    first = F.scaled_dot_product_attention(q[:, :, :n], k[:, :, :prefix_len], v[:, :, :prefix_len])
    visible = torch.arange(S) <= torch.arange(S - T, S)[n:, None]
    rest = F.scaled_dot_product_attention(q[:, :, n:], k, v, attn_mask=visible)
    return torch.cat([first, rest], dim=2)
