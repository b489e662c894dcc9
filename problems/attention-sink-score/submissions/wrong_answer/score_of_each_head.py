"""Your result has one number for each head: the mean over heads is asked for."""


def sink_score(weights):
    T = weights.shape[-1]
    return weights[:, T // 2 :, 0].mean(1).tolist()
