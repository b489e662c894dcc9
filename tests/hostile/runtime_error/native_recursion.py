# expect: RTE|MLE
"""Takes the recursion limit away and runs off the C stack. Seen: pgbovine/OnlinePythonTutor#278."""
import sys

sys.setrecursionlimit(10**9)


class Endless:
    def __getattr__(self, name):
        return getattr(self, name + "x"[:0])

    def __repr__(self):
        return repr([self])


def attention(q, k, v, mask=None):
    return repr(Endless()) + Endless().name
