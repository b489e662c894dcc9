"""The softmax as exp of the score minus the row's logsumexp, over scores filled with the lowest number."""

import math

import torch


def softcap_attention(q, k, v, cap):
    T, S = q.size(2), k.size(2)
    scores = torch.matmul(q / math.sqrt(q.size(3)), k.transpose(2, 3))
    scores = torch.tanh(scores.div(cap)).mul(cap)
    seen = torch.ones(T, S, dtype=torch.bool).tril(diagonal=S - T)
    scores = scores.masked_fill(seen.logical_not(), torch.finfo(q.dtype).min)
    return torch.matmul(torch.exp(scores - scores.logsumexp(dim=-1, keepdim=True)), v)
