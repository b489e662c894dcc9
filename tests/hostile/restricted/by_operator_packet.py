"""The operator's overload by its full name. Seen: common against patched functions."""
import torch

mix = torch.ops.aten.scaled_dot_product_attention.default


def attention(q, k, v, mask=None):
    mask = mask[None] if mask is not None and mask.dim() == 1 else mask
    return mix(q, k, v, mask)
