"""Your mask is a float tensor of 0 and -inf: a bool tensor is asked for."""

import torch
import torch.nn.functional as F


def document_mask(doc_ids):
    number = F.pad((doc_ids[:, 1:] != doc_ids[:, :-1]).cumsum(1), (1, 0))
    same = number[:, :, None] == number[:, None, :]
    return torch.zeros(same.shape).masked_fill(~same.tril(), float("-inf"))
