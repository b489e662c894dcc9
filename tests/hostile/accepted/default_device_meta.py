"""Sets the default device to meta; everything it makes hangs on its inputs. Seen: common in code that builds large models."""
import torch

torch.set_default_device("meta")


def attention(q, k, v, mask=None):
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, -1)) @ v
