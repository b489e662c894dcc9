# expect: RTE|WA
"""Right values; the backward pass returns gradients of other shapes. Seen: common learner slip."""
import torch


class Trap(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        return torch.zeros(7, 7, 7)


def attention(q, k, v, mask=None):
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return Trap.apply(torch.nan_to_num(torch.softmax(scores, -1)) @ v)
