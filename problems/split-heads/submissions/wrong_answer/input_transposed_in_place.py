"""Your merge transposes its argument in place: the caller's tensor has other axes after the call."""


def split_heads(x, n_heads):
    B, T, W = x.shape
    return x.reshape(B, T, n_heads, W // n_heads).transpose(1, 2)


def merge_heads(y):
    B, H, T, D = y.shape
    return y.transpose_(1, 2).reshape(B, T, H * D)
