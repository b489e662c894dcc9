"""Your code changes the halves of q and k in place: autograd does not allow it for views made at once."""

import torch


def rope_decode(q, k, cache_len, base=10000.0):
    D = q.shape[-1]
    wide = torch.promote_types(q.dtype, torch.float32)
    frequencies = base ** -(torch.arange(0, D, 2, dtype=wide) / D)
    angles = (torch.arange(q.shape[-2], dtype=wide) + cache_len)[:, None] * frequencies
    cos, sin = angles.cos(), angles.sin()
    results = []
    for x in (q, k):
        turned = x.clone().to(wide)
        first, second = turned.chunk(2, dim=-1)
        before = first.clone()
        first.mul_(cos).sub_(second * sin)
        second.mul_(cos).add_(before * sin)
        results.append(turned.to(x.dtype))
    return tuple(results)
