"""A full buffer from the start, with empty slots masked; float64 inside; rolled with each token."""

import torch


def windowed_decode(qs, ks, vs, window):
    B, H, T, D = qs.shape
    keys = values = torch.zeros(B, H, window, D, dtype=torch.float64)
    out = []
    for t in range(T):
        keys = torch.cat([keys[:, :, 1:], ks[:, :, t : t + 1].double()], dim=2)
        values = torch.cat([values[:, :, 1:], vs[:, :, t : t + 1].double()], dim=2)
        scores = torch.einsum("bhd,bhnd->bhn", qs[:, :, t].double(), keys) * D**-0.5
        empty = torch.arange(window) < window - 1 - t
        weights = torch.softmax(torch.where(empty, -torch.inf, scores), dim=-1)
        out.append(torch.einsum("bhn,bhnd->bhd", weights, values).to(qs.dtype))
    return torch.stack(out, dim=2)
