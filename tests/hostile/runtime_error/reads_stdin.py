"""input() in the call: stdin is empty, not open. Seen: jupyter/nbgrader#77."""
import sys


def attention(q, k, v, mask=None):
    assert sys.stdin is None or sys.stdin.read() == ""
    return input("size: ")
