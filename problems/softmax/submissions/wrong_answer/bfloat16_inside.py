"""Your result has bfloat16 accuracy only: float16 inputs are computed in bfloat16, which has three bits fewer."""

import torch


def softmax(x, dim=-1):
    wide = x.bfloat16() if x.dtype == torch.float16 else x
    powers = torch.exp(wide - wide.amax(dim, keepdim=True))
    return torch.nan_to_num(powers / powers.sum(dim, keepdim=True)).to(x.dtype)
