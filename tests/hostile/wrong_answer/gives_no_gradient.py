"""Right values; a custom Function returns None for every gradient. Seen: common learner slip."""
import torch


class Silent(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, mask):
        scores = q @ k.mT * q.shape[-1] ** -0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        return torch.nan_to_num(torch.softmax(scores, -1)) @ v

    @staticmethod
    def backward(ctx, grad):
        return None, None, None, None


def attention(q, k, v, mask=None):
    return Silent.apply(q, k, v, mask)
