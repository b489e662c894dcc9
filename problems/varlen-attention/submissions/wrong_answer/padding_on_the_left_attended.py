"""Your result equals sequences padded with zeros on the left: each padding key has a score of 0 and takes weight."""

import math
from itertools import pairwise

import torch


def varlen_attention(q, k, v, cu_seqlens):
    bounds = cu_seqlens.tolist()
    longest = int(cu_seqlens.diff().max())
    out = torch.zeros_like(q)
    for start, end in pairwise(bounds):
        pad = longest - (end - start)
        keys, values = (torch.cat([x.new_zeros(pad, *x.shape[1:]), x[start:end]]) for x in (k, v))
        scores = torch.einsum("ihd,jhd->hij", q[start:end], keys) / math.sqrt(q.shape[-1])
        future = torch.ones(end - start, longest, dtype=torch.bool).triu(1 + pad)
        weights = scores.masked_fill(future, -math.inf).softmax(-1)
        out[start:end] = torch.einsum("hij,jhd->ihd", weights, values)
    return out
