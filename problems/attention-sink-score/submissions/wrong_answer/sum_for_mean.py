"""Your result is the sum over heads and queries: the mean is asked for."""


def sink_score(weights):
    T = weights.shape[-1]
    return weights[:, T // 2 :, 0].sum().item()
