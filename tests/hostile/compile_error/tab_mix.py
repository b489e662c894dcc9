"""Tabs and spaces mixed so that Python cannot tell the depth. Seen: common learner slip."""


def attention(q, k, v, mask=None):
        q = q + 0
	return v
