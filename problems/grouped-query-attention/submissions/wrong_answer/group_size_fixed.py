# expect: WA|RTE
"""Your code takes two query heads for a group, as in the example: the size of a group is Hq // Hkv."""


def gqa(q, k, v):
    if k.shape[1] not in (1, q.shape[1]):
        k, v = k.repeat_interleave(2, 1), v.repeat_interleave(2, 1)
    return (q @ k.mT * q.shape[-1] ** -0.5).softmax(-1) @ v
