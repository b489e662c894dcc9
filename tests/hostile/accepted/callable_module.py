"""The answer is an nn.Module object that is called. Seen: common in object-oriented code."""
import torch
from torch import nn


class Attention(nn.Module):
    def forward(self, q, k, v, mask=None):
        scores = q @ k.mT * q.shape[-1] ** -0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        return torch.nan_to_num(torch.softmax(scores, -1)) @ v


attention = Attention()
