"""Your sum runs over the later queries, but is divided by all of them."""


def sink_score(weights):
    T = weights.shape[-1]
    return weights[:, T // 2 :, 0].sum().item() / (len(weights) * T)
