"""Your result is the mean over queries, but summed over heads."""


def sink_score(weights):
    T = weights.shape[-1]
    return weights[:, T // 2 :, 0].mean(1).sum().item()
