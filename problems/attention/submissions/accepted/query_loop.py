"""One query at a time; each picks its visible keys instead of masking the others."""

import torch


def attention(q, k, v, mask=None):
    B, H, T, D = q.shape
    S, Dv = v.shape[-2:]
    seen = torch.ones(B, H, T, S, dtype=torch.bool) if mask is None else mask.expand(B, H, T, S)
    rows = []
    for b in range(B):
        for h in range(H):
            for t in range(T):
                keys, values = k[b, h][seen[b, h, t]], v[b, h][seen[b, h, t]]
                weights = torch.softmax(keys @ q[b, h, t] / D**0.5, dim=0)
                rows.append(weights @ values)
    return torch.stack(rows).reshape(B, H, T, Dv)
