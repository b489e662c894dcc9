"""Counts that no call has: each must be a wrong answer or no answer, never a failure of the judge."""

import gc

import sandbox.measure

FORGED = [-1, 1 << 80, "many", None, 2.5, [1]]


def forged(number):
    for thing in gc.get_objects():
        if type(thing) is sandbox.measure.Meter:
            thing.flops = FORGED[number]
    return number
