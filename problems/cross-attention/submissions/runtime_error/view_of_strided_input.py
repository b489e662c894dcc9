"""Your code calls view() on inputs whose memory is not laid out that way."""

import torch


def cross_attention(q, k, v, key_padding_mask):
    hidden = key_padding_mask[:, None, None, :]
    B, H, T, D = q.shape
    S, Dv = v.shape[-2:]
    scores = torch.bmm(q.view(B * H, T, D), k.view(B * H, S, D).mT).view(B, H, T, S) * D**-0.5
    scores = scores.masked_fill(hidden, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    weights = weights.masked_fill(hidden.all(dim=-1, keepdim=True), 0.0)
    return torch.bmm(weights.view(B * H, T, S), v.view(B * H, S, Dv)).view(B, H, T, Dv)
