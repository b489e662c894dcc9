"""Everything in the dtype of the inputs; masks only the tiles that the diagonal crosses."""

import torch


def flash_attention_causal(q, k, v, block_size):
    B, H, T, D = q.shape
    S = k.shape[2]
    o = q.new_empty(B, H, T, v.shape[3])
    lse = q.new_empty(B, H, T)
    for first in range(0, T, block_size):
        rows = slice(first, min(first + block_size, T))
        low, high = S - T + first, S - T + rows.stop - 1  # positions of the oldest and the newest query
        m, l, acc = -torch.inf, 0.0, 0.0
        for start in range(0, high + 1, block_size):
            cols = slice(start, min(start + block_size, high + 1))
            s = (q[:, :, rows] / D**0.5) @ k[:, :, cols].transpose(2, 3)
            if cols.stop - 1 > low:
                ones = torch.ones(rows.stop - rows.start, cols.stop - cols.start, dtype=torch.bool)
                s = s.masked_fill(~ones.tril(low - start), -torch.inf)
            m_new = s.amax(-1, keepdim=True) if start == 0 else torch.maximum(m, s.amax(-1, keepdim=True))
            c = torch.exp(m - m_new)
            p = torch.exp(s - m_new)
            l, acc, m = l * c + p.sum(-1, keepdim=True), acc * c + p @ v[:, :, cols], m_new
        o[:, :, rows] = acc / l
        lse[:, :, rows] = (m + l.log()).squeeze(-1)
    return o, lse
