import torch


def gqa(
    q: torch.Tensor,  # (B, Hq, T, D)
    k: torch.Tensor,  # (B, Hkv, S, D); Hkv divides Hq
    v: torch.Tensor,  # (B, Hkv, S, Dv)
) -> torch.Tensor:  # (B, Hq, T, Dv)
    raise NotImplementedError
