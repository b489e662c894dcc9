"""Your result has lost its axes of size 1: the shape must be [B, Hq, T, Dv] also where one of them is 1."""


def gqa(q, k, v):
    group = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
    return ((q @ k.mT * q.shape[-1] ** -0.5).softmax(-1) @ v).squeeze()
