"""One matrix product that takes minutes and holds no Python loop to interrupt. Seen: ucbds-infra/otter-grader#469."""
import torch


def attention(q, k, v, mask=None):
    big = torch.ones(2000, 2000, dtype=torch.float64)
    return torch.linalg.matrix_power(big, 2**60 - 1)
