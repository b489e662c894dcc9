import torch


def mla_attention(
    q_nope: torch.Tensor,  # (B, H, T, d_nope), the last T of S positions
    q_rope: torch.Tensor,  # (B, H, T, d_rope), already rotated
    k_nope: torch.Tensor,  # (B, H, S, d_nope)
    k_rope: torch.Tensor,  # (B, 1, S, d_rope), already rotated, shared by all heads
    v: torch.Tensor,  # (B, H, S, Dv)
    kv_rank: int,  # width of the latent that k_nope and v were made from
) -> torch.Tensor:  # (B, H, T, Dv)
    raise NotImplementedError
