"""Pairs as complex numbers, all in float64, queries and keys stacked."""

import torch


def rope_decode(q, k, cache_len, base=10000.0):
    x = torch.stack([q, k]).double()
    pairs = torch.complex(*x.chunk(2, dim=-1))
    half = q.shape[-1] // 2
    frequencies = base ** (-torch.arange(half, dtype=torch.float64) / half)
    positions = torch.arange(q.shape[2], dtype=torch.float64) + cache_len
    turned = pairs * torch.polar(torch.ones(()).double(), positions[:, None] * frequencies)
    return tuple(torch.cat([turned.real, turned.imag], dim=-1).to(q.dtype).unbind(0))
