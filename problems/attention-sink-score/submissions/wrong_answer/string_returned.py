"""Your result is a string: a Python float is asked for."""


def sink_score(weights):
    T = weights.shape[-1]
    return f"{weights[:, T // 2 :, 0].mean().item():.6f}"
