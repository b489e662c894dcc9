"""Your code calls library attention as an operator of torch.ops."""

import torch


def attention(q, k, v, mask=None):
    if mask is not None:
        mask = mask.expand(*q.shape[:-1], k.shape[-2])
    return torch.ops.aten.scaled_dot_product_attention(q, k, v, attn_mask=mask)
