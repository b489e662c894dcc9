"""Your result equals the mean of one softmax for each block: blocks have to count by the sum of their exponentials,
not equally.
"""

import torch


def flash_attention(q, k, v, block_size):
    parts = []
    for at in range(0, k.shape[-2], block_size):
        keys, values = k[..., at : at + block_size, :], v[..., at : at + block_size, :]
        s = q @ keys.transpose(-2, -1) * q.shape[-1] ** -0.5
        parts.append(s.softmax(-1) @ values)
    return torch.stack(parts).mean(0)
