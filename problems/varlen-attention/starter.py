import torch


def varlen_attention(
    q: torch.Tensor,  # (total, H, D), all sequences end to end
    k: torch.Tensor,  # (total, H, D)
    v: torch.Tensor,  # (total, H, D)
    cu_seqlens: torch.Tensor,  # int32, (N + 1,): sequence n is rows cu_seqlens[n] to cu_seqlens[n + 1] - 1
) -> torch.Tensor:  # (total, H, D)
    raise NotImplementedError
