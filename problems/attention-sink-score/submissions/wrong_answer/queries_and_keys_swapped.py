"""Your result reads the row of query 0: the first of the two axes is the query, the second the key."""


def sink_score(weights):
    T = weights.shape[-1]
    return weights[:, 0, T // 2 :].mean().item()
