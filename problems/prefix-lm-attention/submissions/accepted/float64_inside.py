"""Computes in float64 with exponentials by hand, and casts back."""

import math

import torch


def prefix_lm_attention(q, k, v, prefix_len):
    T, S = q.shape[-2], k.shape[-2]
    position = torch.arange(S)
    seen = torch.maximum(position[S - T :] + 1, torch.tensor(prefix_len))
    scores = q.double() @ k.double().mT / math.sqrt(q.shape[-1])
    scores = torch.where(position < seen[:, None], scores, -math.inf)
    weights = (scores - scores.amax(-1, keepdim=True)).exp()
    return ((weights @ v.double()) / weights.sum(-1, keepdim=True)).to(q.dtype)
