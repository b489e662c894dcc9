"""Your code calls view() on inputs whose memory is not laid out that way."""

import torch


def attention(q, k, v, mask=None):
    B, H, T, D = q.shape
    S, Dv = v.shape[-2:]
    scores = torch.bmm(q.view(B * H, T, D), k.view(B * H, S, D).transpose(1, 2)).view(B, H, T, S) * D**-0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1)).view(B * H, T, S)
    return torch.bmm(weights, v.view(B * H, S, Dv)).view(B, H, T, Dv)
