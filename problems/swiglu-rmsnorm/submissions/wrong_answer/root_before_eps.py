"""Your rms_norm is right in its values, but it takes the root before eps is there: at a token of zeros the gradient is
NaN.
"""

import torch
from torch.nn import functional as F


def rms_norm(x, weight, eps=1e-6):
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    rms = wide.pow(2).mean(-1, keepdim=True).sqrt()
    return (wide / (rms**2 + eps).sqrt()).to(x.dtype) * weight


def swiglu(x, w_gate, w_up, w_down):
    return F.linear(F.silu(F.linear(x, w_gate)) * F.linear(x, w_up), w_down)
