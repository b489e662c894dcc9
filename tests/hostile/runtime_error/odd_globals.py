# expect: RTE|AC
"""Module globals with keys that are no names and values that raise when looked at. Seen: common in loaders that list what they found."""
import torch


class Shy:
    @property
    def __module__(self):
        raise SystemExit(0)


shy = Shy()
globals()[1] = 2
globals()["\udcff"] = 3


def attention(q, k, v, mask=None):
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, -1)) @ v
