"""The operator's overload by its full name. Seen: common against patched functions."""
import torch

mix = torch.ops.aten.scaled_dot_product_attention.default


def attention(q, k, v, mask=None):
    return mix(q, k, v, mask)
