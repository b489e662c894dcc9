# expect: RF|RTE
"""A whole encoder layer, for the attention inside it. Seen: common against checks of function names."""
from torch import nn


def attention(q, k, v, mask=None):
    layer = nn.TransformerEncoderLayer(q.shape[-1], 1, 4, batch_first=True)
    return layer.eval()(q.flatten(0, 1)).unflatten(0, q.shape[:2])
