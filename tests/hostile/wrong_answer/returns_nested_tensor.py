"""A nested tensor, whose shape is not one. Seen: common in serialisers that call shape on everything."""
import torch


def attention(q, k, v, mask=None):
    return torch.nested.nested_tensor([torch.zeros(2, 3), torch.zeros(1, 3)])
