"""Absolute positions of queries and keys, compared; einsum; an empty cache stands for none."""

import math

import torch


def cached_attention(q, k_new, v_new, k_past=None, v_past=None):
    if k_past is None:
        k_past, v_past = k_new[:, :, :0], v_new[:, :, :0]
    k, v = torch.cat((k_past, k_new), -2), torch.cat((v_past, v_new), -2)
    keys = torch.arange(k.shape[-2])
    queries = keys[k_past.shape[-2] :]
    scores = torch.einsum("bhtd,bhsd->bhts", q / math.sqrt(q.shape[-1]), k)
    scores = torch.where(keys <= queries[:, None], scores, float("-inf"))
    return torch.einsum("bhts,bhsd->bhtd", torch.softmax(scores, -1), v)
