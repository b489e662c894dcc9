"""Queries of the prefix over its keys without a mask, the others causally; joined at the end."""

import torch


def prefix_lm_attention(q, k, v, prefix_len):
    T, S = q.shape[2], k.shape[2]
    inside = max(0, prefix_len - (S - T))
    first = attend(q[:, :, :inside], k[:, :, :prefix_len], v[:, :, :prefix_len])
    return torch.cat([first, attend(q[:, :, inside:], k, v, causal=True)], dim=2)


def attend(q, k, v, causal=False):
    scores = q @ k.transpose(2, 3) * q.shape[3] ** -0.5
    if causal:
        T, S = scores.shape[2:]
        scores = scores + torch.full((T, S), float("-inf"), dtype=q.dtype).triu(S - T + 1)
    return torch.softmax(scores, dim=3) @ v
