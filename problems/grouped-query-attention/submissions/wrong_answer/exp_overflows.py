"""Your result equals a softmax by hand without subtracting the row's maximum: exp overflows for large scores and
is 0/0 for very negative ones.
"""


def gqa(q, k, v):
    group = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
    weights = (q @ k.mT * q.shape[-1] ** -0.5).exp()
    return weights @ v / weights.sum(-1, keepdim=True)
