"""Your result divides each row by its sum first: with learned sinks rows sum to less than one, and count as they
are.
"""


def sink_score(weights):
    T = weights.shape[-1]
    late = weights[:, T // 2 :]
    return (late[..., 0] / late.sum(-1)).mean().item()
