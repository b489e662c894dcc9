"""Computes in float64 with a hand-written softmax and casts back."""

import math

import torch


def sliding_window_attention(q, k, v, window):
    T, S = q.shape[-2], k.shape[-2]
    age = torch.arange(S - T, S)[:, None] - torch.arange(S)
    outside = (age < 0) | (age >= window)
    scores = q.double() @ k.double().mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(outside, -math.inf)
    weights = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = weights / weights.sum(-1, keepdim=True)
    return (weights @ v.double()).to(q.dtype)
