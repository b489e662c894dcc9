"""Your code calls view() on inputs whose memory is not laid out that way."""

import math

import torch


def softcap_attention(q, k, v, cap):
    T, S = q.shape[-2], k.shape[-2]
    rows, columns = q.view(-1, T, q.shape[-1]), k.view(-1, S, k.shape[-1])
    scores = (rows @ columns.mT).view(*q.shape[:2], T, S) / math.sqrt(q.shape[-1])
    scores = cap * torch.tanh(scores / cap)
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, -math.inf)
    return scores.softmax(-1) @ v
