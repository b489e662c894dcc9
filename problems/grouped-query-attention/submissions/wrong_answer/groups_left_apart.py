"""Your result still has the axis of groups: the shape must be [B, Hq, T, Dv]."""


def gqa(q, k, v):
    grouped = q.unflatten(1, (k.shape[1], -1))
    return (grouped @ k[:, :, None].mT * q.shape[-1] ** -0.5).softmax(-1) @ v[:, :, None]
