"""Your result is right to float32 accuracy only: the scale was computed as a float32 tensor, which is too coarse
for float64 inputs; a Python float is exact enough.
"""

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / torch.sqrt(torch.tensor(q.shape[-1], dtype=torch.float32))
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, dim=-1)) @ v
