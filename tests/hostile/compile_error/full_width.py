"""Full-width brackets and commas from a Chinese keyboard. Seen: common learner slip."""


def attention（q, k， v, mask=None）:
    return v
