import torch


def softcap_attention(
    q: torch.Tensor,  # (B, H, T, D), the last T of S positions
    k: torch.Tensor,  # (B, H, S, D)
    v: torch.Tensor,  # (B, H, S, Dv)
    cap: float,  # > 0, bound of the scores
) -> torch.Tensor:  # (B, H, T, Dv)
    raise NotImplementedError
