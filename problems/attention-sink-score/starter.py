import torch


def sink_score(
    weights: torch.Tensor,  # (H, T, T), weights[h, i, j]: of query i for key j in head h
) -> float:
    raise NotImplementedError
