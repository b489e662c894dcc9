"""Your merge puts the heads after one another along the tokens: the result is [B, H * T, D]."""


def split_heads(x, n_heads):
    B, T, W = x.shape
    return x.reshape(B, T, n_heads, W // n_heads).transpose(1, 2)


def merge_heads(y):
    B, H, T, D = y.shape
    return y.reshape(B, H * T, D)
