"""Your result equals the sum of one softmax for each block: the weights of all blocks together must sum to one."""

import torch


def flash_attention(q, k, v, block_size):
    parts = []
    for at in range(0, k.shape[-2], block_size):
        keys, values = k[..., at : at + block_size, :], v[..., at : at + block_size, :]
        s = q @ keys.transpose(-2, -1) * q.shape[-1] ** -0.5
        parts.append(s.softmax(-1) @ values)
    return torch.stack(parts).sum(0)
