"""Library attention, called with the arguments by name."""

import torch.nn.functional as functional


def attention(q, k, v, mask=None):
    return functional.scaled_dot_product_attention(query=q, key=k, value=v, attn_mask=mask)
