import torch


def prefix_lm_attention(
    q: torch.Tensor,  # (B, H, T, D), the last T of S positions
    k: torch.Tensor,  # (B, H, S, D)
    v: torch.Tensor,  # (B, H, S, Dv)
    prefix_len: int,  # 0 ... S, positions below it belong to the prefix
) -> torch.Tensor:  # (B, H, T, Dv)
    raise NotImplementedError
