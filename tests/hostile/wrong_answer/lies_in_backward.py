"""Right values; a custom Function returns zeros for every gradient. Seen: common in gradient checks that look for None only."""
import torch


class Lie(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, mask):
        ctx.save_for_backward(q, k, v)
        scores = q @ k.mT * q.shape[-1] ** -0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        return torch.nan_to_num(torch.softmax(scores, -1)) @ v

    @staticmethod
    def backward(ctx, grad):
        return *(torch.zeros_like(t) for t in ctx.saved_tensors), None


def attention(q, k, v, mask=None):
    return Lie.apply(q, k, v, mask)
