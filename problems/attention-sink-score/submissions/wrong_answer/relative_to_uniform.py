"""Your result is divided by what uniform attention would give: the weight itself is asked for."""


def sink_score(weights):
    T = weights.shape[-1]
    late = weights[:, T // 2 :, 0]
    uniform = sum(1 / (i + 1) for i in range(T // 2, T)) / (T - T // 2)
    return late.mean().item() / uniform
