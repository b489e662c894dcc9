"""Your split is a reshape straight to [B, H, T, D]: the shape is right, but numbers of different tokens end up
in one head.
"""


def split_heads(x, n_heads):
    B, T, W = x.shape
    return x.reshape(B, n_heads, T, W // n_heads)


def merge_heads(y):
    B, H, T, D = y.shape
    return y.transpose(1, 2).reshape(B, T, H * D)
