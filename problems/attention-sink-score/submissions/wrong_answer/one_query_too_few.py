"""Your queries begin at T // 2 + 1: query T // 2 counts too."""


def sink_score(weights):
    T = weights.shape[-1]
    return weights[:, min(T - 1, T // 2 + 1) :, 0].mean().item()
