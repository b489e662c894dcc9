"""Your first query is T / 2 rounded up: it is T // 2, which for odd lengths includes the middle one."""


def sink_score(weights):
    T = weights.shape[-1]
    return weights[:, T - max(1, T // 2) :, 0].mean().item()
