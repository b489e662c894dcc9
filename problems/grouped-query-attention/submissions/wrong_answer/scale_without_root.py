"""Your result equals attention with scores divided by D instead of by sqrt(D)."""


def gqa(q, k, v):
    group = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
    return (q @ k.mT / q.shape[-1]).softmax(-1) @ v
