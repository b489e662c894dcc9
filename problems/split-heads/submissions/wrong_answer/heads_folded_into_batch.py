"""Your split returns [B * H, T, D]: batch and heads are to be two axes."""


def split_heads(x, n_heads):
    B, T, W = x.shape
    return x.reshape(B, T, n_heads, W // n_heads).transpose(1, 2).reshape(B * n_heads, T, -1)


def merge_heads(y):
    B, H, T, D = y.shape
    return y.transpose(1, 2).reshape(B, T, H * D)
