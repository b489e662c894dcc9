"""Your result looks at the last query alone: all from T // 2 on count."""


def sink_score(weights):
    return weights[:, -1, 0].mean().item()
