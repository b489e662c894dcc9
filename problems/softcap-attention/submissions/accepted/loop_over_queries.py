"""One query at a time over the keys that it sees; float32 inside for half inputs."""

import torch


def softcap_attention(q, k, v, cap):
    wide = torch.promote_types(q.dtype, torch.float32)
    past = k.shape[2] - q.shape[2]
    rows = []
    for t in range(q.shape[2]):
        keys, values = k[:, :, : past + t + 1].to(wide), v[:, :, : past + t + 1].to(wide)
        scores = q[:, :, t : t + 1].to(wide) @ keys.transpose(-1, -2) / q.shape[-1] ** 0.5
        rows.append((cap * (scores / cap).tanh()).softmax(dim=-1) @ values)
    return torch.cat(rows, dim=2).to(q.dtype)
