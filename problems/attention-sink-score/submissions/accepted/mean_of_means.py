"""The mean of each head first, then that of the heads."""


def sink_score(weights):
    late = weights.select(-1, 0)[:, weights.shape[1] // 2 :]
    return float(late.mean(dim=1).mean())
