import torch


def causal_attention(
    q: torch.Tensor,  # (B, H, T, D), the last T of S positions
    k: torch.Tensor,  # (B, H, S, D)
    v: torch.Tensor,  # (B, H, S, Dv)
) -> torch.Tensor:  # (B, H, T, Dv)
    raise NotImplementedError
