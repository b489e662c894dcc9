"""Your code calls view() on inputs whose memory is not laid out that way."""

import torch


def flash_attention_causal(q, k, v, block_size):
    B, H = q.shape[:2]
    q, k, v = (x.view(B * H, *x.shape[2:]) for x in (q, k, v))
    T, S = q.shape[-2], k.shape[-2]
    outs, lses = [], []
    for i in range(0, T, block_size):
        tile = q[..., i : i + block_size, :] * q.shape[-1] ** -0.5
        rows = torch.arange(S - T + i, S - T + i + tile.shape[-2])[:, None]
        m = torch.full((*tile.shape[:-1], 1), float("-inf"), dtype=q.dtype)
        l = torch.zeros_like(m)
        acc = torch.zeros(*tile.shape[:-1], v.shape[-1], dtype=q.dtype)
        for j in range(0, S - T + i + tile.shape[-2], block_size):
            keys, values = k[..., j : j + block_size, :], v[..., j : j + block_size, :]
            hidden = torch.arange(j, j + keys.shape[-2]) > rows
            s = (tile @ keys.transpose(-2, -1)).masked_fill(hidden, float("-inf"))
            m_new = torch.maximum(m, s.amax(-1, keepdim=True))
            c = torch.exp(m - m_new)
            p = torch.exp(s - m_new)
            l = l * c + p.sum(-1, keepdim=True)
            acc = acc * c + p @ values
            m = m_new
        outs.append(acc / l)
        lses.append((m + l.log()).squeeze(-1))
    return torch.cat(outs, -2).unflatten(0, (B, H)), torch.cat(lses, -1).unflatten(0, (B, H))
