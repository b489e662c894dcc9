"""Your values are right, but the sum is cut off from autograd: the gradient lacks what each entry takes away
from the others.
"""

import torch


def softmax(x, dim=-1):
    powers = torch.exp(x - x.detach().amax(dim, keepdim=True))
    return torch.nan_to_num(powers / powers.detach().sum(dim, keepdim=True))
