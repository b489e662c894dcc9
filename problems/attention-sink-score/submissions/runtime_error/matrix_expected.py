"""Your code expects one matrix of weights: there is one for each head."""


def sink_score(weights):
    T, _ = weights.shape
    return weights[T // 2 :, 0].mean().item()
