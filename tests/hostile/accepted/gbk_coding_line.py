# -*- coding: gbk -*-
"""GBK bytes under a coding line that says so: 注意力。 Seen: python/cpython#139446."""
import torch


def attention(q, k, v, mask=None):
	scores = q @ k.mT * q.shape[-1] ** -0.5
	if mask is not None:
		scores = scores.masked_fill(~mask, float("-inf"))

	return torch.nan_to_num(torch.softmax(scores, -1)) @ v
