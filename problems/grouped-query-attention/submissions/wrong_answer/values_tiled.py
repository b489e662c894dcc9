"""Your result pairs the keys rightly, but gives query head h the value head h % Hkv."""


def gqa(q, k, v):
    group = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(group, 1), v.repeat(1, group, 1, 1)
    return (q @ k.mT * q.shape[-1] ** -0.5).softmax(-1) @ v
