"""Blocks from the last to the first; buffers are changed in place where no gradient is asked for."""

import torch


def flash_attention(q, k, v, block_size):
    wide = torch.float32 if q.dtype in (torch.float16, torch.bfloat16) else q.dtype
    scale = q.shape[-1] ** -0.5
    acc = torch.zeros(*q.shape[:-1], v.shape[-1] + 1, dtype=wide)  # the sum is one more column of the accumulator
    top = torch.full((*q.shape[:-1], 1), torch.finfo(wide).min, dtype=wide)
    for at in reversed(range(0, k.shape[-2], block_size)):
        keys, values = k[..., at : at + block_size, :].to(wide), v[..., at : at + block_size, :].to(wide)
        ones = torch.ones(*values.shape[:-1], 1, dtype=wide)
        scores = torch.matmul(q.to(wide), keys.transpose(2, 3)) * scale
        new_top = torch.maximum(top, scores.detach().amax(-1, keepdim=True))
        update = torch.exp(scores - new_top) @ torch.cat([values, ones], -1)
        if torch.is_grad_enabled():
            acc = acc * torch.exp(top - new_top) + update
        else:
            acc.mul_(torch.exp(top - new_top)).add_(update)
        top = new_top
    return (acc[..., :-1] / acc[..., -1:]).to(q.dtype)
