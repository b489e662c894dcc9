# expect: WA|RTE
"""An object whose class raises when asked for its name or module. Seen: common in judges that name the wrong type."""


class Meta(type):
    def __getattribute__(cls, name):
        raise SystemExit(0)


class Thing(metaclass=Meta):
    pass


def attention(q, k, v, mask=None):
    return Thing()
