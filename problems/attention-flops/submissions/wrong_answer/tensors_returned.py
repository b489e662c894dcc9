"""Your counts are tensors: plain Python ints are asked for."""

import torch


def attention_flops(T, d):
    x, w, s = torch.empty(T, d, device="meta"), torch.empty(d, d, device="meta"), torch.empty(T, T, device="meta")
    return torch.tensor(8 * x.numel() * w.shape[0]), torch.tensor(4 * s.numel() * d)


def crossover(d):
    return torch.tensor(2 * d)
