"""Globals named as the judge's own words, and as modules it uses. Seen: common learner slip."""
import torch

os = sys = json = struct = wire = frame = call = builtins = None
solution = reference = rng = names = result = results = value = expected = "mine"
Tensor = Exception = print = len = type = isinstance = 0
__name__ = "__main__"
__file__ = "/etc/passwd"
__builtins__ = __builtins__
__all__ = []


def load(*args):
    raise ValueError


def attention(q, k, v, mask=None):
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, -1)) @ v
