"""A product with the key and the queries that count."""

import torch


def sink_score(weights):
    _, T, S = weights.shape
    queries = torch.zeros(T, dtype=torch.float64)
    queries[T // 2 :] = 1.0 / (T - T // 2)
    key = torch.zeros(S, dtype=torch.float64)
    key[0] = 1.0
    return float(torch.einsum("hts,t,s->h", weights.double(), queries, key).mean())
