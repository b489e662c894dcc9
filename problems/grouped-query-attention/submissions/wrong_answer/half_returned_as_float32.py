"""Your result is computed in float32 and returned so: it must go back to the dtype of the input."""

import torch


def gqa(q, k, v):
    wide = torch.promote_types(q.dtype, torch.float32)
    group = q.shape[1] // k.shape[1]
    k, v = k.to(wide).repeat_interleave(group, 1), v.to(wide).repeat_interleave(group, 1)
    return (q.to(wide) @ k.mT * q.shape[-1] ** -0.5).softmax(-1) @ v
