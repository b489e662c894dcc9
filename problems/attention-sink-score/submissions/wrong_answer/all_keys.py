"""Your mean runs over all keys: key 0 alone is asked for."""


def sink_score(weights):
    T = weights.shape[-1]
    return weights[:, T // 2 :].mean().item()
