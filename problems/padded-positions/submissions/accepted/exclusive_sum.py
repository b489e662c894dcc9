"""Real tokens before this one, by a product with a triangular matrix."""

import torch


def padded_positions(attention_mask):
    T = attention_mask.size(-1)
    before = torch.ones(T, T, dtype=torch.float64).triu(1)
    return (attention_mask.double() @ before * attention_mask).long()
