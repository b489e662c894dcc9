"""Your mean runs over the first half of the queries: the later half counts."""


def sink_score(weights):
    T = weights.shape[-1]
    return weights[:, : max(1, T // 2), 0].mean().item()
