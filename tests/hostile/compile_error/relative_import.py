"""Imports a neighbour that does not exist. Seen: common learner slip."""
from . import helper


def attention(q, k, v, mask=None):
    return helper(q)
