"""Tiles over queries and keys, everything in the dtype of the inputs, out of place."""

import math

import torch


def flash_attention(q, k, v, block_size):
    rows = []
    for first in range(0, q.size(2), block_size):
        tile = q[:, :, first : first + block_size] / math.sqrt(q.size(-1))
        m = torch.full(tile.shape[:3], -math.inf, dtype=q.dtype)
        l = torch.zeros(tile.shape[:3], dtype=q.dtype)
        acc = torch.zeros(*tile.shape[:3], v.size(-1), dtype=q.dtype)
        at = 0
        while at < k.size(2):
            end = min(at + block_size, k.size(2))
            s = torch.matmul(tile, k[:, :, at:end].mT)
            m_new = torch.max(m, s.max(dim=-1).values)
            p = (s - m_new[..., None]).exp()
            c = (m - m_new).exp()
            l = c * l + p.sum(-1)
            acc = c[..., None] * acc + p @ v[:, :, at:end]
            m, at = m_new, end
        rows.append(acc / l[..., None])
    return torch.cat(rows, dim=2)
