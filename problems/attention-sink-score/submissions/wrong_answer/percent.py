"""Your result is in percent: a number between 0 and 1 is asked for."""


def sink_score(weights):
    T = weights.shape[-1]
    return weights[:, T // 2 :, 0].mean().item() * 100
