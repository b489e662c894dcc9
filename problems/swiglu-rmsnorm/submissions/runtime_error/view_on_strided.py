"""Your code calls view() on an x whose memory is not laid out that way."""

import torch
import torch.nn.functional as F


def rms_norm(x, weight, eps=1e-6):
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    mean_square = wide.pow(2).mean(-1, keepdim=True)
    return (wide / torch.sqrt(mean_square + eps)).to(x.dtype) * weight


def swiglu(x, w_gate, w_up, w_down):
    lead = x.shape[:-1]
    x = x.view(-1, x.shape[-1])
    gate, up = x @ w_gate.T, x @ w_up.T
    return ((F.silu(gate) * up) @ w_down.T).view(*lead, w_down.shape[0])
