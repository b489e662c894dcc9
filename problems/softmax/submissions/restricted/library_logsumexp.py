"""Your code calls torch.logsumexp, which does the whole work of a softmax."""

import torch


def softmax(x, dim=-1):
    return torch.nan_to_num(torch.exp(x - torch.logsumexp(x, dim, keepdim=True)), nan=0.0)
