"""Full-width cos and sin and a rotate-half helper, cos and sin rounded to the dtype of x."""

import torch


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat((-x[..., half:], x[..., :half]), dim=-1)


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    kind = torch.float64 if x.dtype == torch.float64 else torch.float32
    inv_freq = 1.0 / base ** (torch.arange(0, D, 2).to(kind) / D)
    positions = positions if positions.dim() == 2 else positions[None]
    freqs = positions[:, None, :, None].to(kind) * inv_freq
    emb = torch.cat((freqs, freqs), dim=-1)
    return x * emb.cos().to(x.dtype) + rotate_half(x) * emb.sin().to(x.dtype)
