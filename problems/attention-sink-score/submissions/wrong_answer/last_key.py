"""Your result measures the weight on the last key: the sink is key 0."""


def sink_score(weights):
    T = weights.shape[-1]
    return weights[:, T // 2 :, -1].mean().item()
