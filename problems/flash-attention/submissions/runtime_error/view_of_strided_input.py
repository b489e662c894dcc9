"""Your code calls view() on inputs whose memory is not laid out that way."""

import torch


def flash_attention(q, k, v, block_size):
    B, H = q.shape[:2]
    q, k, v = (x.view(B * H, *x.shape[2:]) for x in (q, k, v))
    m = torch.full((*q.shape[:-1], 1), float("-inf"), dtype=q.dtype)
    l = torch.zeros_like(m)
    acc = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
    for at in range(0, k.shape[-2], block_size):
        keys, values = k[..., at : at + block_size, :], v[..., at : at + block_size, :]
        s = q @ keys.transpose(-2, -1) * q.shape[-1] ** -0.5
        m_new = torch.maximum(m, s.amax(-1, keepdim=True))
        c = torch.exp(m - m_new)
        p = torch.exp(s - m_new)
        l = l * c + p.sum(-1, keepdim=True)
        acc = acc * c + p @ values
        m = m_new
    return (acc / l).unflatten(0, (B, H))
