"""Your code clears the early queries in the caller's tensor: the weights must stay as they are."""


def sink_score(weights):
    T = weights.shape[-1]
    weights[:, : T // 2] = 0.0
    return weights[..., 0].sum().item() / (len(weights) * (T - T // 2))
