"""The operator behind the function, from torch.ops. Seen: common against patched functions."""
import torch


def attention(q, k, v, mask=None):
    return torch.ops.aten.scaled_dot_product_attention(q, k, v, mask)
