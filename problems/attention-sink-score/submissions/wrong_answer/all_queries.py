"""Your mean runs over all queries: only those from T // 2 on count. Early queries have few keys to choose from."""


def sink_score(weights):
    return weights[:, :, 0].mean().item()
