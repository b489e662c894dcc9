"""Tiles from the newest keys back to key 0, with a guard for queries that have seen nothing yet."""

import torch


def flash_attention_causal(q, k, v, block_size):
    dtype, T, S = q.dtype, q.shape[-2], k.shape[-2]
    q, k, v = (x.double() for x in (q, k, v))
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=torch.float64)
    lse = torch.zeros(q.shape[:-1], dtype=torch.float64)
    for first in range(0, T, block_size):
        last = min(first + block_size, T)
        m = torch.full((*q.shape[:2], last - first), float("-inf"), dtype=torch.float64)
        l, acc = torch.zeros_like(m), torch.zeros(*m.shape, v.shape[-1], dtype=torch.float64)
        end = S - T + last
        while end > 0:
            start = max(0, end - block_size)
            s = torch.matmul(q[..., first:last, :], k[..., start:end, :].mT) / q.shape[-1] ** 0.5
            hidden = torch.arange(start, end)[None] > torch.arange(S - T + first, S - T + last)[:, None]
            s = s.masked_fill(hidden, float("-inf"))
            m_new = torch.maximum(m, s.detach().amax(-1))
            base = torch.where(m_new.isinf(), 0.0, m_new)
            p, c = torch.exp(s - base[..., None]), torch.exp(m - base)
            l = l * c + p.sum(-1)
            acc = acc * c[..., None] + torch.matmul(p, v[..., start:end, :])
            m, end = m_new, start
        o[..., first:last, :] = acc / l[..., None]
        lse[..., first:last] = m + l.log()
    return o.to(dtype), lse.to(dtype)
