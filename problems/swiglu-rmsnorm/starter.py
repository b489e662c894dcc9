import torch


def rms_norm(
    x: torch.Tensor,  # (..., d)
    weight: torch.Tensor,  # (d,)
    eps: float = 1e-6,
) -> torch.Tensor:  # (..., d)
    raise NotImplementedError


def swiglu(
    x: torch.Tensor,  # (..., d)
    w_gate: torch.Tensor,  # (d_ff, d), as nn.Linear keeps it
    w_up: torch.Tensor,  # (d_ff, d)
    w_down: torch.Tensor,  # (d, d_ff)
) -> torch.Tensor:  # (..., d)
    raise NotImplementedError
