"""Your result is a tensor: a Python float is asked for."""


def sink_score(weights):
    T = weights.shape[-1]
    return weights[:, T // 2 :, 0].mean()
