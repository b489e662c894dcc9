import torch


def split_heads(
    x: torch.Tensor,  # (B, T, H * D)
    n_heads: int,  # H
) -> torch.Tensor:  # (B, H, T, D)
    raise NotImplementedError


def merge_heads(
    y: torch.Tensor,  # (B, H, T, D)
) -> torch.Tensor:  # (B, T, H * D)
    raise NotImplementedError
