"""Your result equals a pass that divides the accumulator by the sum in every block and never undoes it."""

import torch


def flash_attention(q, k, v, block_size):
    m = torch.full((*q.shape[:-1], 1), float("-inf"), dtype=q.dtype)
    l = torch.zeros_like(m)
    acc = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
    for at in range(0, k.shape[-2], block_size):
        keys, values = k[..., at : at + block_size, :], v[..., at : at + block_size, :]
        s = q @ keys.transpose(-2, -1) * q.shape[-1] ** -0.5
        m_new = torch.maximum(m, s.amax(-1, keepdim=True))
        c = torch.exp(m - m_new)
        p = torch.exp(s - m_new)
        l = l * c + p.sum(-1, keepdim=True)
        acc = (acc * c + p @ values) / l
        m = m_new
    return acc
