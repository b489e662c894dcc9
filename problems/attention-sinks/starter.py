import torch


def sink_attention(
    q: torch.Tensor,  # (B, H, T, D)
    k: torch.Tensor,  # (B, H, S, D)
    v: torch.Tensor,  # (B, H, S, Dv)
    sinks: torch.Tensor,  # (H,), one logit per head
) -> torch.Tensor:  # (B, H, T, Dv)
    raise NotImplementedError
