"""More elements than any address space holds. Seen: common learner slip with sizes."""
import torch


def attention(q, k, v, mask=None):
    return torch.empty(1 << 42)
