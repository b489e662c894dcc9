"""Your rms_norm divides by the standard deviation: the mean must not be subtracted inside it either."""

import torch
import torch.nn.functional as F


def rms_norm(x, weight, eps=1e-6):
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    return (wide / torch.sqrt(wide.var(-1, keepdim=True, unbiased=False) + eps)).to(x.dtype) * weight


def swiglu(x, w_gate, w_up, w_down):
    gate, up = x @ w_gate.T, x @ w_up.T
    return (F.silu(gate) * up) @ w_down.T
