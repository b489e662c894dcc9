"""Your result is divided by the weight that the other keys get: the weight itself is asked for."""


def sink_score(weights):
    T = weights.shape[-1]
    late = weights[:, T // 2 :]
    sink = late[..., 0].mean().item()
    return sink / max(1e-9, late.sum(-1).mean().item() - sink)
