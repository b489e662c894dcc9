"""A demonstration behind the main guard that would end the process. Seen: PrairieLearn/PrairieLearn#10903."""
import torch


def attention(q, k, v, mask=None):
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, -1)) @ v


if __name__ == "__main__":
    import sys

    sys.exit(attention(*torch.randn(3, 1, 1, 2, 4)))
