"""One token at a time."""

import torch
import torch.nn.functional as F


def rms_norm(x, weight, eps=1e-6):
    wide = torch.promote_types(x.dtype, torch.float32)
    rows = x.reshape(-1, x.shape[-1])
    done = [row.to(wide) / (row.to(wide).square().mean() + eps).sqrt() for row in rows]
    return (torch.stack(done) * weight.to(wide)).to(x.dtype).reshape(x.shape)


def swiglu(x, w_gate, w_up, w_down):
    rows = x.reshape(-1, x.shape[-1])
    done = [w_down.mv(F.silu(w_gate.mv(row)) * w_up.mv(row)) for row in rows]
    return torch.stack(done).reshape(x.shape)
