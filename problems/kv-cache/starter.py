import torch


def cached_attention(
    q: torch.Tensor,  # (B, H, T, D), the new tokens
    k_new: torch.Tensor,  # (B, H, T, D)
    v_new: torch.Tensor,  # (B, H, T, Dv)
    k_past: torch.Tensor | None = None,  # (B, H, P, D), the cache
    v_past: torch.Tensor | None = None,  # (B, H, P, Dv)
) -> torch.Tensor:  # (B, H, T, Dv)
    raise NotImplementedError
