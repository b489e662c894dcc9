"""sys.exit(0) inside the call. Seen: zmievsa/autograder#39."""
import sys


def attention(q, k, v, mask=None):
    sys.exit(0)
