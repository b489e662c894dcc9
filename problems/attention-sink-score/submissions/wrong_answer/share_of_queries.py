"""Your result is the share of queries that give key 0 the most weight: the mean weight is asked for."""


def sink_score(weights):
    T = weights.shape[-1]
    return (weights[:, T // 2 :].argmax(-1) == 0).double().mean().item()
