import torch


def cross_attention(
    q: torch.Tensor,  # (B, H, T, D)
    k: torch.Tensor,  # (B, H, S, D)
    v: torch.Tensor,  # (B, H, S, Dv)
    key_padding_mask: torch.Tensor,  # (B, S) bool, True = padding
) -> torch.Tensor:  # (B, H, T, Dv)
    raise NotImplementedError
