"""Library attention for each sequence."""

import torch
import torch.nn.functional as F


def paged_attention(q, k_cache, v_cache, block_table, context_lens):
    out = []
    for b, length in enumerate(context_lens.tolist()):
        if length == 0:
            out.append(torch.zeros_like(q[b]))
            continue
        keys = k_cache[block_table[b]].flatten(0, 1)[:length].transpose(0, 1)
        values = v_cache[block_table[b]].flatten(0, 1)[:length].transpose(0, 1)
        out.append(F.scaled_dot_product_attention(q[b, :, None], keys, values)[:, 0])
    return torch.stack(out)
