"""Star imports that shadow sum, max, all and abs, and bring the forbidden name in without a call. Seen: common in notebooks."""
from math import *
from typing import *

from torch import *
from torch.nn import *
from torch.nn.functional import *


def attention(q, k, v, mask=None):
    scores = q @ k.mT / sqrt(tensor(q.shape[-1], dtype=q.dtype))
    if mask is not None:
        scores = where(mask, scores, -inf)
    top = amax(scores, -1, keepdim=True)
    weights = exp(scores - where(isfinite(top), top, 0.0))
    total = weights.sum(-1, keepdim=True)
    return weights / where(total == 0, 1.0, total) @ v
