"""Your result equals attention that is not causal: queries see keys of the future."""

import torch


def sink_attention(q, k, v, sinks):
    scores = q @ k.mT * q.shape[-1] ** -0.5
    column = sinks[:, None, None].expand(*q.shape[:-1], 1)
    weights = torch.cat([scores, column], dim=-1).softmax(dim=-1)
    return weights[..., :-1] @ v
