"""The library's attention with a causal mask whose upper left block is filled."""

import torch
import torch.nn.functional as F


def prefix_lm_attention(q, k, v, prefix_len):
    T, S = q.shape[-2], k.shape[-2]
    mask = torch.ones(T, S, dtype=torch.bool, device=q.device).tril(S - T)
    mask[:prefix_len, :prefix_len] = True
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
