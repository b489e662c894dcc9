"""The file ends in the middle of an expression. Seen: common learner slip."""


def attention(q, k, v, mask=None):
    return torch.softmax((q @ k.mT, -1
