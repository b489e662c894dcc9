"""Your result measures the weight on key 1: keys count from 0."""


def sink_score(weights):
    T = weights.shape[-1]
    return weights[:, T // 2 :, min(1, T - 1)].mean().item()
