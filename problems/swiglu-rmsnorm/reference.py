"""The two parts of a modern transformer block that are not attention: RMSNorm and the SwiGLU feed-forward."""

import torch
from torch import Tensor
from torch.nn import functional as F


def rms_norm(x: Tensor, weight: Tensor, eps: float = 1e-6) -> Tensor:
    wide = x.to(torch.promote_types(x.dtype, torch.float32))  # squares of half precision overflow from 256 on
    mean_square = wide.pow(2).mean(dim=-1, keepdim=True)  # (..., 1)
    return (wide * torch.rsqrt(mean_square + eps)).to(x.dtype) * weight  # (..., d)


def swiglu(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    gate = F.silu(F.linear(x, w_gate))  # (..., d) -> (..., d_ff)
    up = F.linear(x, w_up)  # (..., d) -> (..., d_ff)
    return F.linear(gate * up, w_down)  # (..., d_ff) -> (..., d)
