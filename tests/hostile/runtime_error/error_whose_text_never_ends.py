# expect: RTE|TLE
"""An exception whose __str__ never returns. Seen: genchang1234/How-to-cheat-in-computer-science-101#8."""


class Evil(Exception):
    def __str__(self):
        while True:
            pass

    __repr__ = __str__


def attention(q, k, v, mask=None):
    raise Evil
