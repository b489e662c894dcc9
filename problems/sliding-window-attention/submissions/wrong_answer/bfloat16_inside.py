"""Your result has the accuracy of bfloat16: float16 inputs are computed in bfloat16, which has three bits fewer."""

import torch


def sliding_window_attention(q, k, v, window):
    dtype = q.dtype
    if dtype == torch.float16:
        q, k, v = q.bfloat16(), k.bfloat16(), v.bfloat16()
    T, S = q.shape[-2], k.shape[-2]
    age = torch.arange(S - T, S)[:, None] - torch.arange(S)
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill((age < 0) | (age >= window), float("-inf"))
    return (torch.softmax(scores, dim=-1) @ v).to(dtype)
