"""SystemExit while the file loads. Seen: common learner slip."""
import sys


def attention(q, k, v, mask=None):
    return v


sys.exit(0)
