"""Your result has one head for each key head: the shape must be [B, Hq, T, Dv]."""


def gqa(q, k, v):
    group = q.shape[1] // k.shape[1]
    pooled = q.unflatten(1, (-1, group)).mean(2)
    return (pooled @ k.mT * q.shape[-1] ** -0.5).softmax(-1) @ v
