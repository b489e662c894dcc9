"""Your result gives the first group the last key head: groups and key heads run in the same order."""


def gqa(q, k, v):
    group = q.shape[1] // k.shape[1]
    k, v = k.flip(1).repeat_interleave(group, 1), v.flip(1).repeat_interleave(group, 1)
    return (q @ k.mT * q.shape[-1] ** -0.5).softmax(-1) @ v
