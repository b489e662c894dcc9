import torch


def apply_rope(
    x: torch.Tensor,  # (B, H, T, D), D even
    positions: torch.Tensor,  # int64, (T,) or (B, T)
    base: float = 10000.0,
) -> torch.Tensor:  # (B, H, T, D)
    raise NotImplementedError
