# expect: WA|RTE
"""A tensor with named axes, which many operators refuse. Seen: common in serialisers that trust the type."""
import warnings

import torch

warnings.simplefilter("ignore")


def attention(q, k, v, mask=None):
    return torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype).refine_names("B", "H", "T", "D")
