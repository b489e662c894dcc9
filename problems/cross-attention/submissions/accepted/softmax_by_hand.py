"""Exponentials after the maximum of the visible keys, in float32 or better."""

import math

import torch


def cross_attention(q, k, v, key_padding_mask):
    wide = torch.promote_types(q.dtype, torch.float32)
    pad = key_padding_mask.unsqueeze(1).unsqueeze(1)
    scores = torch.matmul(q.to(wide), k.to(wide).transpose(2, 3)).div(math.sqrt(q.size(3)))
    scores = torch.where(pad, torch.finfo(wide).min, scores)
    powers = torch.exp(scores - scores.amax(3, keepdim=True)) * ~pad
    total = powers.sum(3, keepdim=True)
    return torch.matmul(powers / total.masked_fill(total == 0, 1.0), v.to(wide)).to(q.dtype)
