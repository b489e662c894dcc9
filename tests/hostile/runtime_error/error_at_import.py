"""Raises while the file loads; the learner must see the line. Seen: common learner slip."""
import torch

TABLE = torch.zeros(3)[7]


def attention(q, k, v, mask=None):
    return v
