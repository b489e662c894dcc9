"""F.rms_norm and F.linear in float32 at least, and silu as z times sigmoid."""

import torch
import torch.nn.functional as F


def rms_norm(x, weight, eps=1e-6):
    wide = torch.promote_types(x.dtype, torch.float32)
    return F.rms_norm(x.to(wide), weight.shape, weight.to(wide), eps).to(x.dtype)


def swiglu(x, w_gate, w_up, w_down):
    gate = F.linear(x, w_gate)
    return F.linear(gate * torch.sigmoid(gate) * F.linear(x, w_up), w_down)
