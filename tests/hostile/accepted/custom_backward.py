"""A custom Function whose backward pass is written by hand, and right. Seen: common in teaching code."""
import torch


class Attend(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, mask):
        scale = q.shape[-1] ** -0.5
        scores = q @ k.mT * scale
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.nan_to_num(torch.softmax(scores, -1))
        ctx.save_for_backward(q, k, v, weights)
        return weights @ v

    @staticmethod
    def backward(ctx, grad):
        q, k, v, weights = ctx.saved_tensors
        dw = grad @ v.mT
        ds = weights * (dw - (dw * weights).sum(-1, keepdim=True)) * q.shape[-1] ** -0.5
        return ds @ k, ds.mT @ q, weights.mT @ grad, None


def attention(q, k, v, mask=None):
    return Attend.apply(q, k, v, mask)
