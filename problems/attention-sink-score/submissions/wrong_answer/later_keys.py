"""Your result keeps all queries and looks at the later keys: it is the queries that are cut."""


def sink_score(weights):
    T = weights.shape[-1]
    return weights[:, :, T // 2 :].mean().item()
