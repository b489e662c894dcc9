"""Your result equals attention with the rotated parts rotated once more: q_rope and k_rope come rotated."""

import math

import torch


def mla_attention(q_nope, q_rope, k_nope, k_rope, v, kv_rank):
    T, S = q_nope.shape[-2], k_nope.shape[-2]
    width = q_nope.shape[-1] + q_rope.shape[-1]
    if q_rope.shape[-1] % 2 == 0:
        q_rope, k_rope = rotate(q_rope, S - T), rotate(k_rope, 0)
    scores = (q_nope @ k_nope.mT + q_rope @ k_rope.mT) / math.sqrt(width)
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    return scores.masked_fill(future, -math.inf).softmax(-1) @ v


def rotate(x, first):
    half = x.shape[-1] // 2
    speed = 10000.0 ** (-torch.arange(half) / half)
    angle = (torch.arange(first, first + x.shape[-2])[:, None] * speed).to(x.dtype)
    low, high = x[..., :half], x[..., half:]
    return torch.cat([low * angle.cos() - high * angle.sin(), low * angle.sin() + high * angle.cos()], -1)
