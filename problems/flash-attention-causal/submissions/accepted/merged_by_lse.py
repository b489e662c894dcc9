"""A softmax for each tile; the tiles of a row are merged by the logarithms of their sums."""

import torch


def flash_attention_causal(q, k, v, block_size):
    T, S = q.shape[2], k.shape[2]
    outs, lses = [], []
    for i in range(0, T, block_size):
        tile = q[:, :, i : i + block_size]
        rows = torch.arange(S - T + i, S - T + i + tile.shape[2]).view(-1, 1)
        out = torch.zeros(*tile.shape[:3], v.shape[3], dtype=q.dtype)
        lse = torch.full(tile.shape[:3], -torch.inf, dtype=q.dtype)
        for j in range(0, min(S, S - T + i + block_size), block_size):
            keys, values = k[:, :, j : j + block_size], v[:, :, j : j + block_size]
            scores = torch.einsum("bhtd,bhsd->bhts", tile, keys) * q.shape[3] ** -0.5
            columns = torch.arange(j, j + keys.shape[2])
            scores = torch.where(columns <= rows, scores, torch.finfo(scores.dtype).min)
            mine = torch.logsumexp(scores, -1)
            both = torch.logaddexp(lse, mine)
            part = torch.einsum("bhts,bhsv->bhtv", torch.softmax(scores, -1), values)
            out = out * (lse - both).exp()[..., None] + part * (mine - both).exp()[..., None]
            lse = both
        outs.append(out)
        lses.append(lse)
    return torch.cat(outs, 2), torch.cat(lses, 2)
