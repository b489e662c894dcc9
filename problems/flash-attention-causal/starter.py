import torch


def flash_attention_causal(
    q: torch.Tensor,  # (B, H, T, D), the last T of S positions
    k: torch.Tensor,  # (B, H, S, D)
    v: torch.Tensor,  # (B, H, S, Dv)
    block_size: int,  # queries and keys on a side of a tile; tiles at the edges may be smaller
) -> tuple[torch.Tensor, torch.Tensor]:  # o: (B, H, T, Dv), lse: (B, H, T)
    raise NotImplementedError
