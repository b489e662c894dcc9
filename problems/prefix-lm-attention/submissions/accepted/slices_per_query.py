"""Each query over the keys up to itself or to the end of the prefix, whichever is further."""

import torch


def prefix_lm_attention(q, k, v, prefix_len):
    T, S = q.shape[2], k.shape[2]
    rows = []
    for t in range(T):
        stop = max(S - T + t + 1, prefix_len)
        scores = torch.einsum("bhd,bhsd->bhs", q[:, :, t], k[:, :, :stop]) / q.shape[-1] ** 0.5
        rows.append(torch.einsum("bhs,bhsd->bhd", scores.softmax(-1), v[:, :, :stop]))
    return torch.stack(rows, dim=2)
