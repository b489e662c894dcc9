"""Your result equals attention without the causal mask: every query sees the future."""

import math

import torch


def softcap_attention(q, k, v, cap):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = cap * torch.tanh(scores / cap)
    return scores.softmax(-1) @ v
