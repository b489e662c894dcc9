"""The outer loop runs over the keys: each block of them meets all queries that see at least one of its keys."""

import math

import torch


def flash_attention_causal(q, k, v, block_size):
    T, S = q.size(-2), k.size(-2)
    wide = torch.float64 if q.dtype == torch.float64 else torch.float32
    at = torch.arange(S - T, S)
    m = torch.full((*q.shape[:-1], 1), -math.inf, dtype=wide)
    l = torch.zeros_like(m)
    acc = torch.zeros(*q.shape[:-1], v.size(-1), dtype=wide)
    for start in range(0, S, block_size):
        stop = min(start + block_size, S)
        skip = max(0, start - (S - T))  # queries before that see nothing of this block
        before = [x[..., :skip, :] for x in (m, l, acc)]
        m, l, acc = (x[..., skip:, :] for x in (m, l, acc))
        step = range(skip, T, block_size)  # the rest in tiles, so that no tile holds more than block_size squared
        tiles = [
            _tile(q[..., n : n + block_size, :].to(wide), k[..., start:stop, :].to(wide), at[n : n + block_size], start)
            for n in step
        ]
        tops = torch.cat([tile.amax(-1, keepdim=True) for tile in tiles], -2)
        m_new = torch.maximum(m, tops)
        parts = [
            (tile - m_new[..., n - skip : n - skip + block_size, :]).exp() for n, tile in zip(step, tiles, strict=True)
        ]
        c = (m - m_new).exp()
        l = l * c + torch.cat([part.sum(-1, keepdim=True) for part in parts], -2)
        acc = acc * c + torch.cat([part @ v[..., start:stop, :].to(wide) for part in parts], -2)
        m, l, acc = (torch.cat([a, b], -2) for a, b in zip(before, (m_new, l, acc), strict=True))
    return (acc / l).to(q.dtype), (m + l.log()).squeeze(-1).to(q.dtype)


def _tile(q, k, at, start):
    scores = q @ k.mT / q.size(-1) ** 0.5
    return scores.masked_fill(torch.arange(start, start + k.size(-2)) > at[:, None], -math.inf)
