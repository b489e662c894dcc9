"""Returns an empty slice, whose strides are those of what it was cut from: a wrong shape, and not a broken answer. Seen: common in decoders that check strides before sizes."""
import torch


def attention(q, k, v, mask=None):
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return (torch.nan_to_num(torch.softmax(scores, -1)) @ v)[..., :0]
