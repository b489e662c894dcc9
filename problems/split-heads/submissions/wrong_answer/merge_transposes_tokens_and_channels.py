"""Your merge swaps tokens and channels before the reshape instead of heads and tokens."""


def split_heads(x, n_heads):
    B, T, W = x.shape
    return x.reshape(B, T, n_heads, W // n_heads).transpose(1, 2)


def merge_heads(y):
    B, H, T, D = y.shape
    return y.transpose(2, 3).reshape(B, T, H * D)
