"""A Python list of numbers without end. Seen: jupyter/nbgrader#427."""


def attention(q, k, v, mask=None):
    kept = [0] * 1000
    while True:
        kept += kept
