"""Mean weight that the later half of the queries gives to key 0."""

from torch import Tensor


def sink_score(weights: Tensor) -> float:
    _, T, _ = weights.shape
    late = weights[:, T // 2 :, 0]  # (H, T - T // 2)
    return late.mean().item()
