"""Your result is the largest weight on key 0: the mean is asked for."""


def sink_score(weights):
    T = weights.shape[-1]
    return weights[:, T // 2 :, 0].max().item()
