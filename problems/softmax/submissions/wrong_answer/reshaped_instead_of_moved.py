"""Your result cuts the numbers into runs as long as the axis, in memory order: a reshape does not bring the axis
to the end.
"""

import torch


def softmax(x, dim=-1):
    rows = x.reshape(-1, x.shape[dim])
    powers = torch.exp(rows - rows.amax(-1, keepdim=True))
    return torch.nan_to_num(powers / powers.sum(-1, keepdim=True)).reshape(x.shape)
