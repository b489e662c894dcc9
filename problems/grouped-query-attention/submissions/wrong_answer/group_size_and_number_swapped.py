# expect: WA|RTE
"""Your result gives query head h the key head h // Hkv: it is the size of a group that h must be divided by."""

import torch


def gqa(q, k, v):
    owner = torch.arange(q.shape[1]) // k.shape[1] if k.shape[1] > 1 else torch.zeros(q.shape[1], dtype=torch.long)
    k, v = k[:, owner], v[:, owner]
    return (q @ k.mT * q.shape[-1] ** -0.5).softmax(-1) @ v
