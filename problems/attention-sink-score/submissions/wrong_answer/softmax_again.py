"""Your result takes a softmax of the weights: they are weights already."""


def sink_score(weights):
    T = weights.shape[-1]
    return weights.softmax(-1)[:, T // 2 :, 0].mean().item()
