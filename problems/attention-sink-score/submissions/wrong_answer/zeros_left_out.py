"""Your mean leaves out weights of exactly 0: they count."""


def sink_score(weights):
    T = weights.shape[-1]
    late = weights[:, T // 2 :, 0]
    late = late[late != 0]
    return late.mean().item() if len(late) else 0.0
