"""Your result takes the softmax over the keys and the heads of a group together: each head's weights must sum to
one.
"""


def gqa(q, k, v):
    grouped = q.unflatten(1, (k.shape[1], -1))
    scores = (grouped @ k[:, :, None].mT * q.shape[-1] ** -0.5).transpose(2, 3)
    weights = scores.flatten(3).softmax(-1).view(scores.shape).transpose(2, 3)
    return (weights @ v[:, :, None]).flatten(1, 2)
