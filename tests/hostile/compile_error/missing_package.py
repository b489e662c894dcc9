"""Imports a package that the sandbox does not have. Seen: common learner slip."""
import scipy.special


def attention(q, k, v, mask=None):
    return scipy.special.softmax(q)
