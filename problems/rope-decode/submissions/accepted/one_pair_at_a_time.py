"""Loops over tokens and pairs, written into new tensors."""

import math

import torch


def rope_decode(q, k, cache_len, base=10000.0):
    T, D = q.shape[2:]
    results = []
    for x in (q, k):
        columns = [[None] * D for _ in range(T)]
        for t in range(T):
            for i in range(D // 2):
                angle = (cache_len + t) * base ** (-2 * i / D)
                cos, sin = math.cos(angle), math.sin(angle)
                one, other = x[:, :, t, i], x[:, :, t, i + D // 2]
                columns[t][i], columns[t][i + D // 2] = one * cos - other * sin, other * cos + one * sin
        results.append(torch.stack([torch.stack(column, dim=-1) for column in columns], dim=2))
    return results
