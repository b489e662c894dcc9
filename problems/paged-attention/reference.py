"""Decoding over a paged cache: gather the blocks of each sequence, then attend to the slots in use."""

import math

import torch
from torch import Tensor


def paged_attention(q: Tensor, k_cache: Tensor, v_cache: Tensor, block_table: Tensor, context_lens: Tensor) -> Tensor:
    # -1 reads the last block of the cache: something finite, which is hidden below
    keys = k_cache[block_table].flatten(1, 2)  # (B, M, block, H, D) -> (B, M * block, H, D), in order of position
    values = v_cache[block_table].flatten(1, 2)
    scores = torch.einsum("bhd,bshd->bhs", q, keys) / math.sqrt(q.size(-1))  # (B, H, M * block)
    positions = torch.arange(keys.size(1))
    hidden = (positions >= context_lens[:, None])[:, None, :]  # (B, 1, M * block)
    # the lowest finite number, not -inf: an empty sequence must not become 0/0
    scores = scores.masked_fill(hidden, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=-1).masked_fill(hidden, 0.0)
    return torch.einsum("bhs,bshd->bhd", weights, values)  # (B, H, D)
