"""Your result has bfloat16 accuracy only: float16 inputs are computed in bfloat16, which has three bits fewer."""

import torch


def causal_attention(q, k, v):
    T, S = q.shape[-2], k.shape[-2]
    dtype = q.dtype
    if dtype == torch.float16:
        q, k, v = q.bfloat16(), k.bfloat16(), v.bfloat16()
    visible = torch.ones(T, S, dtype=torch.bool).tril(S - T)
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(~visible, float("-inf"))
    return (torch.softmax(scores, dim=-1) @ v).to(dtype)
