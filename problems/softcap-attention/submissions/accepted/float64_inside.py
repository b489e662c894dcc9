"""Computes in float64 with scores changed in place, and casts back."""

import math

import torch


def softcap_attention(q, k, v, cap):
    T, S = q.shape[-2], k.shape[-2]
    scores = (q.double() / (cap * math.sqrt(q.shape[-1]))) @ k.double().mT
    scores = scores.tanh() * cap
    scores += torch.full((T, S), -math.inf, dtype=torch.float64).triu(S - T + 1)
    return (scores.softmax(-1) @ v.double()).to(q.dtype)
