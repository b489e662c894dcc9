"""A byte order mark, CRLF line ends, tabs and a form feed. Seen: common in files from Windows editors."""
import torch


def attention(q, k, v, mask=None):
	scores = q @ k.mT * q.shape[-1] ** -0.5
	if mask is not None:
		scores = scores.masked_fill(~mask, float("-inf"))

	return torch.nan_to_num(torch.softmax(scores, -1)) @ v
