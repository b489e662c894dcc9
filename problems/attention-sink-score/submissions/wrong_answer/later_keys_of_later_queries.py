"""Your result cuts queries and keys: key 0 alone is looked at."""


def sink_score(weights):
    T = weights.shape[-1]
    return weights[:, T // 2 :, T // 2 :].mean().item()
