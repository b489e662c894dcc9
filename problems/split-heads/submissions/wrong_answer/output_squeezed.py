"""Your result has lost its axes of size 1: all axes must be there, also where B, H, T or D is 1."""


def split_heads(x, n_heads):
    B, T, W = x.shape
    return x.reshape(B, T, n_heads, W // n_heads).transpose(1, 2).squeeze()


def merge_heads(y):
    B, H, T, D = y.shape
    return y.transpose(1, 2).reshape(B, T, H * D).squeeze()
