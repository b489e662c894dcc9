"""Your result equals causal attention without sinks: the weights are scaled back to a sum of one, the sink is
added to every score, or the mask hides the sink too, and so its effect is gone.
"""

import torch


def sink_attention(q, k, v, sinks):
    T, S = q.shape[-2], k.shape[-2]
    scores = q @ k.mT * q.shape[-1] ** -0.5
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, float("-inf"))
    column = sinks[:, None, None].expand(*q.shape[:-1], 1)
    weights = torch.cat([scores, column], dim=-1).softmax(dim=-1)
    kept = weights[..., :-1]
    return kept / kept.sum(dim=-1, keepdim=True) @ v
