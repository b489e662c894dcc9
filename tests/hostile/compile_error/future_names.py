"""Uses a name before it is defined, at import. Seen: common learner slip."""
attention = attend


def attend(q, k, v, mask=None):
    return v
