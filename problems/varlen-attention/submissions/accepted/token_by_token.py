"""One query at a time over its own slice, float64 inside."""

import torch


def varlen_attention(q, k, v, cu_seqlens):
    rows = []
    for start, end in zip(cu_seqlens[:-1].tolist(), cu_seqlens[1:].tolist(), strict=True):
        for t in range(start, end):
            keys, values = k[start : t + 1].double(), v[start : t + 1].double()
            scores = torch.einsum("hd,nhd->nh", q[t].double(), keys) * q.shape[-1] ** -0.5
            weights = torch.exp(scores - scores.amax(0))
            rows.append((torch.einsum("nh,nhd->hd", weights, values) / weights.sum(0)[:, None]).to(q.dtype))
    return torch.stack(rows)
