"""Your mean runs over all queries but the first: only those from T // 2 on count."""


def sink_score(weights):
    T = weights.shape[-1]
    return weights[:, min(1, T - 1) :, 0].mean().item()
