"""A string of 16 MiB in place of a tensor. Seen: common in judges that echo the wrong answer."""


def attention(q, k, v, mask=None):
    return "<b>" + "x" * (1 << 24)
