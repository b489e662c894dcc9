"""Einsums in float64, cast back."""

import torch
import torch.nn.functional as F


def rms_norm(x, weight, eps=1e-6):
    wide = x.double()
    mean_square = torch.einsum("...c,...c->...", wide, wide) / wide.shape[-1]
    return (wide * (mean_square + eps).rsqrt().unsqueeze(-1) * weight.double()).to(x.dtype)


def swiglu(x, w_gate, w_up, w_down):
    wide = x.double()
    gate = torch.einsum("...d,fd->...f", wide, w_gate.double())
    up = torch.einsum("...d,fd->...f", wide, w_up.double())
    return torch.einsum("...f,df->...d", F.silu(gate) * up, w_down.double()).to(x.dtype)
