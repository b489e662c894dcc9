"""Right values; the backward pass raises. Seen: idiap/fast-transformers#10."""
import torch


class Trap(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        raise RuntimeError("not differentiable here")


def attention(q, k, v, mask=None):
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return Trap.apply(torch.nan_to_num(torch.softmax(scores, -1)) @ v)
