"""Your split takes `n_heads` for the width of a head: the result is [B, D, T, H]."""


def split_heads(x, n_heads):
    B, T, W = x.shape
    return x.reshape(B, T, W // n_heads, n_heads).transpose(1, 2)


def merge_heads(y):
    B, H, T, D = y.shape
    return y.transpose(1, 2).reshape(B, T, H * D)
