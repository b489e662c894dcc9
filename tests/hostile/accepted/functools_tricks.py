"""Caches, partials, wraps, singledispatch and reduce from functools, and a partial as the answer. Seen: common in functional style."""
import functools
import operator

import torch


@functools.lru_cache
def _scale(width):
    return functools.reduce(operator.mul, [1.0, width**-0.5])


def _traced(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


@functools.singledispatch
def _hide(mask, scores):
    return scores


@_hide.register
def _(mask: torch.Tensor, scores):
    return scores.masked_fill(~mask, float("-inf"))


@_traced
def _attend(power, q, k, v, mask=None):
    return torch.nan_to_num(torch.softmax(_hide(mask, q @ k.mT * _scale(q.shape[-1])), -1)) @ v


attention = functools.partial(_attend, 1)
