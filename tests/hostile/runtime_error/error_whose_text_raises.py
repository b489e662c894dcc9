"""An exception that raises when it is turned into text, and again when that one is. Seen: genchang1234/How-to-cheat-in-computer-science-101#8."""


class Nameless(type):
    @property
    def __name__(cls):
        raise Evil

    @property
    def __qualname__(cls):
        raise Evil


class Evil(Exception, metaclass=Nameless):
    def __str__(self):
        raise Evil

    __repr__ = __str__

    @property
    def args(self):
        raise Evil

    @property
    def __traceback__(self):
        raise Evil


def attention(q, k, v, mask=None):
    raise Evil from Evil()
