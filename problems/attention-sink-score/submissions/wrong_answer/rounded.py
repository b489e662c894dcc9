"""Your result is rounded to three digits."""


def sink_score(weights):
    T = weights.shape[-1]
    return round(weights[:, T // 2 :, 0].mean().item(), 3)
