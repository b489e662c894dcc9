"""Your rms_norm always runs in float32, which costs float64 inputs half of their digits."""

import torch
import torch.nn.functional as F


def rms_norm(x, weight, eps=1e-6):
    wide = x.float()
    mean_square = wide.pow(2).mean(-1, keepdim=True)
    return (wide / torch.sqrt(mean_square + eps)).to(x.dtype) * weight


def swiglu(x, w_gate, w_up, w_down):
    gate, up = x @ w_gate.T, x @ w_up.T
    return (F.silu(gate) * up) @ w_down.T
