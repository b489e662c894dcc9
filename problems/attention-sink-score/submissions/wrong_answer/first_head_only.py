"""Your result looks at the first head alone."""


def sink_score(weights):
    T = weights.shape[-1]
    return weights[0, T // 2 :, 0].mean().item()
