"""Your result subtracts one maximum for all heads of a group: where the scores of a head are far lower, all its
exponentials vanish.
"""


def gqa(q, k, v):
    grouped = q.unflatten(1, (k.shape[1], -1))
    scores = grouped @ k[:, :, None].mT * q.shape[-1] ** -0.5
    weights = (scores - scores.amax((2, 4), keepdim=True)).exp()
    return (weights @ v[:, :, None] / weights.sum(-1, keepdim=True)).flatten(1, 2)
