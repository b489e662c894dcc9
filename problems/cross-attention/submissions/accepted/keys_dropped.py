"""One sequence at a time, with the padded keys taken out."""

import torch


def cross_attention(q, k, v, key_padding_mask):
    rows = []
    for b in range(q.shape[0]):
        kept = torch.nonzero(~key_padding_mask[b]).squeeze(-1)
        keys, values = k[b].index_select(1, kept), v[b].index_select(1, kept)
        scores = torch.einsum("htd,hsd->hts", q[b], keys) / q.shape[-1] ** 0.5
        rows.append(torch.einsum("hts,hsv->htv", scores.softmax(-1), values))
    return torch.stack(rows)
