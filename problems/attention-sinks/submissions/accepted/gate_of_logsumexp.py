"""Ordinary causal attention, times a sigmoid of logsumexp minus the sink."""

import torch


def sink_attention(q, k, v, sinks):
    T, S = q.shape[-2], k.shape[-2]
    scores = torch.einsum("bhtd,bhsd->bhts", q, k) / q.shape[-1] ** 0.5
    position = torch.arange(S)
    scores = scores.masked_fill(position > position[S - T :, None], float("-inf"))
    total = scores.logsumexp(dim=-1, keepdim=True)
    return torch.sigmoid(total - sinks.view(-1, 1, 1)) * (scores.softmax(dim=-1) @ v)
