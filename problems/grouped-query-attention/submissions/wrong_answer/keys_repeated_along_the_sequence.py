"""Your result repeats the keys along the sequence and then cuts it into heads: it is the axis of heads that must
be repeated.
"""


def gqa(q, k, v):
    B, Hq, D = q.shape[0], q.shape[1], q.shape[-1]
    group = Hq // k.shape[1]
    k = k.repeat_interleave(group, 2).reshape(B, Hq, -1, D)
    v = v.repeat_interleave(group, 2).reshape(B, Hq, -1, v.shape[-1])
    return (q @ k.mT * D**-0.5).softmax(-1) @ v
