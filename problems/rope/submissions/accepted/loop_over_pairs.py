"""One pair of channels at a time, float64 throughout, written into a new tensor."""

import torch


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    where = positions.double().reshape(-1, 1, positions.shape[-1])
    channels = [None] * D
    for i in range(D // 2):
        angle = where * base ** (-2 * i / D)
        a, b = x[..., i].double(), x[..., i + D // 2].double()
        channels[i] = a * angle.cos() - b * angle.sin()
        channels[i + D // 2] = a * angle.sin() + b * angle.cos()
    return torch.stack(channels, dim=-1).to(x.dtype)
