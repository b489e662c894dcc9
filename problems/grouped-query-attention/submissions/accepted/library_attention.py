"""Library attention, which knows groups."""

import torch.nn.functional as F


def gqa(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, enable_gqa=True)
