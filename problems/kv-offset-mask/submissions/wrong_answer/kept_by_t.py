"""Your code keeps masks by T and uses them again: the same T with a longer cache needs another mask."""

import torch

_masks = {}


def kv_offset_mask(T, S):
    kept = _masks.setdefault(T, torch.ones(T, S, dtype=torch.bool).tril(S - T))
    return kept if kept.shape == (T, S) else torch.ones(T, S, dtype=torch.bool).tril(kept.shape[1] - T)
