"""TorchScript compiles it from its source, which must be there to read. Seen: common in code made for deployment."""
import warnings
from typing import Optional

import torch
from torch import Tensor

warnings.simplefilter("ignore")


@torch.jit.script
def attend(q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor]) -> Tensor:
    scores = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, -1)) @ v


def attention(q, k, v, mask=None):
    return attend(q, k, v, mask)
