import torch


def attention(
    q: torch.Tensor,  # (B, H, T, D)
    k: torch.Tensor,  # (B, H, S, D)
    v: torch.Tensor,  # (B, H, S, Dv)
    mask: torch.Tensor | None = None,  # bool, broadcasts to (B, H, T, S); True = may attend
) -> torch.Tensor:  # (B, H, T, Dv)
    raise NotImplementedError
