"""A list of shapes, and an exact fraction."""

from fractions import Fraction
from math import prod


def attention_flops(T, d):
    projections = [(T, d, d)] * 4
    scores = [(T, d, T), (T, T, d)]
    return tuple(sum(2 * prod(shape) for shape in shapes) for shapes in (projections, scores))


def crossover(d):
    projections, scores = attention_flops(1, d)
    return int(Fraction(projections, scores))
