# expect: WA|RTE
"""Returns five thousand tensors. Seen: common in decoders whose tables have no cap."""
import torch


def attention(q, k, v, mask=None):
    return [torch.zeros(1)] * 5000
