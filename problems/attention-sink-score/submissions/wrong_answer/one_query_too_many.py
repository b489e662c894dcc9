"""Your queries begin at T // 2 - 1: the first one that counts is T // 2."""


def sink_score(weights):
    T = weights.shape[-1]
    return weights[:, max(0, T // 2 - 1) :, 0].mean().item()
