"""Your result has the accuracy of bfloat16: float16 inputs are computed in bfloat16, which has three bits fewer."""

import torch


def attention(q, k, v, mask=None):
    dtype = q.dtype
    if dtype == torch.float16:
        q, k, v = q.bfloat16(), k.bfloat16(), v.bfloat16()
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return (torch.nan_to_num(torch.softmax(scores, dim=-1)) @ v).to(dtype)
