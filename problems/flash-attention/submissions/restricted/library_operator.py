"""Your code calls library attention as an operator of torch.ops."""

import torch


def flash_attention(q, k, v, block_size):
    return torch.ops.aten.scaled_dot_product_attention(q, k, v)
