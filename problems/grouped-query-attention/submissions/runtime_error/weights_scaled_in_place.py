"""Your code changes the softmax's output in place, which autograd has kept for the backward pass: the values are
right, backward() fails.
"""


def gqa(q, k, v):
    group = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
    weights = (q @ k.mT * q.shape[-1] ** -0.5).softmax(-1)
    weights.div_(weights.sum(-1, keepdim=True))
    return weights @ v
