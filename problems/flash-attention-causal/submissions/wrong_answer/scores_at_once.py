"""Your result is right, but all scores are computed at once: nothing is skipped, and the matrix of T x S numbers is
what the tiles are to avoid.
"""

import torch


def flash_attention_causal(q, k, v, block_size):
    T, S = q.shape[-2], k.shape[-2]
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(torch.arange(S) > torch.arange(S - T, S)[:, None], float("-inf"))
    return torch.softmax(scores, dim=-1) @ v, torch.logsumexp(scores, dim=-1)
