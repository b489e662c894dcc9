"""Two parts side by side: a cache that all see, and an ordinary causal mask of the new tokens."""

import torch


def kv_offset_mask(T, S):
    history = torch.ones((T, S - T), dtype=torch.bool)
    new = torch.ones((T, T), dtype=torch.bool).tril()
    return torch.cat([history, new], dim=1)
