"""Attention in one pass over blocks of keys: a running maximum, a running sum and an accumulator."""

import math

import torch
from torch import Tensor


def flash_attention(q: Tensor, k: Tensor, v: Tensor, block_size: int) -> Tensor:
    wide = torch.promote_types(q.dtype, torch.float32)  # sums over many blocks need more digits than half has
    q_scaled = q.to(wide) / math.sqrt(q.size(-1))  # (B, H, T, D)
    top = torch.full_like(q_scaled[..., :1], float("-inf"))  # (B, H, T, 1), highest score so far
    total = torch.zeros_like(top)  # (B, H, T, 1), sum of exp(score - top)
    out = torch.zeros(*q.shape[:-1], v.size(-1), dtype=wide, device=q.device)  # (B, H, T, Dv), sum of exp * value
    for start in range(0, k.size(-2), block_size):
        block = slice(start, start + block_size)
        scores = q_scaled @ k[..., block, :].to(wide).transpose(-2, -1)  # (B, H, T, n), n <= block_size
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))  # (B, H, T, 1)
        shrink = torch.exp(top - new_top)  # what was summed relative to `top` is now relative to `new_top`
        parts = torch.exp(scores - new_top)  # (B, H, T, n)
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        out = out * shrink + parts @ v[..., block, :].to(wide)
        top = new_top
    return (out / total).to(q.dtype)
