"""Your mean is computed in float32: float64 weights lose half of their digits."""


def sink_score(weights):
    T = weights.shape[-1]
    return weights[:, T // 2 :, 0].float().mean().item()
