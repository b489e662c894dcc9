"""Your result is right, but only the queries are in blocks: each block meets all keys at once, so the scores still
grow with T x S.
"""

import torch


def flash_attention(q, k, v, block_size):
    rows = []
    for tile in q.split(block_size, dim=-2):
        scores = tile @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
        rows.append(torch.softmax(scores, dim=-1) @ v)
    return torch.cat(rows, dim=-2)
