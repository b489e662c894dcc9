"""Your product mixes the dtypes of torch's default and of the weights."""

import torch


def sink_score(weights):
    T = weights.shape[-1]
    key = torch.zeros(T, 1)
    key[0] = 1.0
    return (weights[:, T // 2 :] @ key).mean().item()
