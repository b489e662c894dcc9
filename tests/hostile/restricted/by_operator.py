"""The operator behind the function, from torch.ops. Seen: common against patched functions."""
import torch


def attention(q, k, v, mask=None):
    mask = mask[None] if mask is not None and mask.dim() == 1 else mask
    return torch.ops.aten.scaled_dot_product_attention(q, k, v, mask)
