"""Your code calls F.log_softmax, which is the library's softmax but for one exp."""

import torch
import torch.nn.functional as F


def softmax(x, dim=-1):
    return torch.nan_to_num(F.log_softmax(x, dim=dim).exp(), nan=0.0)
